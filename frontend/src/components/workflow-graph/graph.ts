import type { StepStatus } from '../../gql/enums';

/** A step as the graph shows it. */
export interface GraphStep {
  key: string;
  /** What it is called, if not by its key. */
  label?: string;
  /** A second line: the agent, a duration. */
  detail?: string;
  status?: StepStatus;
  /** Stops for people. */
  gated?: boolean;
  needs: readonly string[];
}

export interface Edge {
  from: string;
  to: string;
}

/** The edges of a workflow; what refers to no step is left out, as it is while somebody types. */
export function edgesOf(steps: readonly GraphStep[]): Edge[] {
  const keys = new Set(steps.map(({ key }) => key));
  return steps.flatMap(({ key, needs }) => needs.filter((need) => keys.has(need)).map((need) => ({ from: need, to: key })));
}

/**
 * The steps of a workflow's document. It may be anything, because it may be half written: whatever is no step is passed over.
 * A step that does not say what it needs follows the one that is written before it.
 */
export function stepsOf(definition: unknown): GraphStep[] {
  const list = field(definition, 'steps');
  const steps = (Array.isArray(list) ? list : []).filter((step: unknown) => typeof field(step, 'key') === 'string');
  return steps.map((step: unknown, index): GraphStep => {
    const needs = field(step, 'needs');
    const agent = field(step, 'agent');
    const before = index > 0 ? [String(field(steps[index - 1], 'key'))] : [];
    return {
      key: String(field(step, 'key')),
      needs: Array.isArray(needs) ? needs.filter((need) => typeof need === 'string') : before,
      gated: field(step, 'gate') === 'ALWAYS',
      ...(typeof agent === 'string' ? { detail: agent } : {}),
    };
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
