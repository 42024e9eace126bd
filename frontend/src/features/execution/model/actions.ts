import { edgesOf, type GraphStep } from '../../../components/workflow-graph/graph';
import type { CompletionReason, ExecutionStatus, StepStatus } from '../../../gql/enums';

/* What the API would allow, so that nothing is offered that it refuses. The table is that of docs/executions.md. */

export type Action = 'pause' | 'resume' | 'stop' | 'retry' | 'resumeFailed' | 'fork';

export interface Subject {
  readonly status: ExecutionStatus;
  readonly completionReason?: CompletionReason | null;
  /** Null for a request that stands alone, which has no steps. */
  readonly workflowVersion?: unknown;
}

const TABLE: Record<ExecutionStatus, readonly Action[]> = {
  QUEUED: ['pause', 'stop'],
  PLANNING: ['pause', 'stop'],
  RUNNING: ['pause', 'stop', 'fork'],
  AWAITING_APPROVAL: ['pause', 'stop', 'fork'],
  PAUSED: ['resume', 'stop', 'fork'],
  COMPLETED: ['retry', 'fork'],
  FAILED: ['retry', 'resumeFailed', 'fork'],
  CANCELLED: ['retry', 'fork'],
  LIMIT_REACHED: ['retry', 'fork'],
};

/** These make another execution of the same version, which there has to be. */
const NEEDS_VERSION: ReadonlySet<Action> = new Set(['retry', 'resumeFailed', 'fork']);

export function actionsFor({ status, completionReason, workflowVersion }: Subject): ReadonlySet<Action> {
  const partial: Action[] = status === 'COMPLETED' && completionReason === 'PARTIAL' ? ['resumeFailed'] : [];
  const all = [...(TABLE[status] ?? []), ...partial];
  return new Set(all.filter((action) => Boolean(workflowVersion) || !NEEDS_VERSION.has(action)));
}

const DONE: ReadonlySet<StepStatus | undefined> = new Set(['COMPLETED', 'SKIPPED']);

/** Whether everything before a step is done, so that another execution can begin at it. */
export function canForkFrom(key: string, steps: readonly GraphStep[]): boolean {
  const edges = edgesOf(steps);
  const statuses = new Map(steps.map((step) => [step.key, step.status]));
  const seen = new Set<string>();
  const left = [key];
  for (let current = left.pop(); current !== undefined; current = left.pop()) {
    for (const { from } of edges.filter(({ to }) => to === current)) {
      if (seen.has(from)) continue;
      if (!DONE.has(statuses.get(from))) return false;
      seen.add(from);
      left.push(from);
    }
  }
  return true;
}
