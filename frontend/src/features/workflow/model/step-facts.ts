import { stepsOf } from '../../../components/workflow-graph/graph';

export interface StepFacts {
  agent: string;
  needs: readonly string[];
  when: string | null;
  gate: string;
  attempts: number;
  input: unknown;
}

const GATES: Record<string, string> = { ALWAYS: 'always', NEVER: 'never', POLICY: 'where the policy says so' };
const USUAL_ATTEMPTS = 3;

/** What the document says about one step, with the defaults filled in; null if it has no such step. */
export function stepFacts(definition: unknown, key: string): StepFacts | null {
  const steps = field(definition, 'steps');
  const step: unknown = Array.isArray(steps) ? steps.find((one) => field(one, 'key') === key) : undefined;
  if (step === undefined) return null;
  const attempts = field(field(step, 'retry'), 'attempts');
  const when = field(step, 'when');
  return {
    agent: String(field(step, 'agent') ?? ''),
    needs: stepsOf(definition).find((one) => one.key === key)?.needs ?? [],
    when: typeof when === 'string' ? when : null,
    gate: GATES[String(field(step, 'gate') ?? 'POLICY')] ?? String(field(step, 'gate')),
    attempts: typeof attempts === 'number' ? attempts : USUAL_ATTEMPTS,
    input: field(step, 'input') ?? undefined,
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
