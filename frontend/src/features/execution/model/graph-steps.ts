import { stepsOf, type GraphStep } from '../../../components/workflow-graph/graph';
import type { StepStatus } from '../../../gql/enums';
import type { Run } from './run';

interface Facts {
  readonly key: string;
  readonly kept: boolean;
  readonly status: StepStatus;
  readonly agent?: { readonly name: string } | null;
}

/** The steps of the version that runs, each with its state. What was kept of another execution has no events in this one. */
export function graphStepsOf(definition: unknown, facts: readonly Facts[], run: Run): GraphStep[] {
  const byKey = new Map(facts.map((fact) => [fact.key, fact]));
  return stepsOf(definition).map((step): GraphStep => {
    const fact = byKey.get(step.key);
    const live = run.steps.get(step.key);
    return { ...step, status: live?.status ?? (fact?.kept ? fact.status : 'PENDING') };
  });
}
