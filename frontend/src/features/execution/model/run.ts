import type { StepStatus } from '../../../gql/enums';
import type { RunEvent } from '../run-event';

/** One stretch of time of a step, for the timeline. */
export interface Phase {
  kind: 'waits' | 'approval' | 'runs' | 'pause';
  from: number;
  /** Null while it lasts. */
  to: number | null;
  /** How a stretch of work ended. */
  outcome?: 'completed' | 'failed' | 'released' | 'cancelled';
  attempt?: number;
}

export interface StepRun {
  key: string;
  status: StepStatus;
  attempt: number;
  /** From 0 to 1, while its worker says so. */
  progress: number | null;
  retryAt: string | null;
  phases: Phase[];
}

export interface LogLine {
  cursor: string;
  at: string;
  level: string;
  stepKey: string;
  message: string;
}

/** What the events say about a run. */
export interface Run {
  steps: ReadonlyMap<string, StepRun>;
  logs: readonly LogLine[];
  startedAt: number | null;
  finishedAt: number | null;
}

const UNFINISHED: ReadonlySet<StepStatus> = new Set(['SCHEDULED', 'RUNNING', 'RETRYING', 'AWAITING_APPROVAL']);

/** Adds up the events. What it does not know (a newer server) changes nothing. */
export function runOf(events: readonly RunEvent[]): Run {
  const steps = new Map<string, StepRun>();
  const logs: LogLine[] = [];
  let startedAt: number | null = null;
  let finishedAt: number | null = null;

  const step = (key: string): StepRun => {
    const known = steps.get(key);
    if (known) return known;
    const fresh: StepRun = { key, status: 'PENDING', attempt: 0, progress: null, retryAt: null, phases: [] };
    steps.set(key, fresh);
    return fresh;
  };

  for (const event of events) {
    const at = Date.parse(event.at);
    switch (event.__typename) {
      case 'ExecutionStarted':
        startedAt ??= at;
        break;
      case 'StepScheduled':
        become(step(event.stepKey), 'SCHEDULED', at, { kind: 'waits' }, event.attempt);
        break;
      case 'StepStarted':
        become(step(event.stepKey), 'RUNNING', at, { kind: 'runs', attempt: event.attempt }, event.attempt);
        break;
      case 'StepReleased':
        become(step(event.stepKey), 'SCHEDULED', at, { kind: 'waits' }, event.attempt, 'released');
        break;
      case 'StepProgressed':
        step(event.stepKey).progress = event.progress;
        break;
      case 'StepLogged':
        logs.push({ cursor: event.cursor, at: event.at, level: event.level, stepKey: event.stepKey, message: event.message });
        break;
      case 'StepCompleted':
        become(step(event.stepKey), 'COMPLETED', at, null, event.attempt, 'completed');
        break;
      case 'StepRetried':
        become(step(event.stepKey), 'RETRYING', at, { kind: 'pause' }, event.attempt, 'failed');
        step(event.stepKey).retryAt = event.retryAt;
        break;
      case 'StepFailed':
        become(step(event.stepKey), 'FAILED', at, null, event.attempt, 'failed');
        break;
      case 'StepSkipped':
        become(step(event.stepKey), 'SKIPPED', at, null);
        break;
      case 'StepReopened':
        become(step(event.stepKey), 'PENDING', at, null);
        break;
      case 'CheckpointRequested':
        // A worker that asks in the middle of its task goes on running.
        if (event.checkpoint.kind === 'STEP' && event.checkpoint.stepKey) {
          become(step(event.checkpoint.stepKey), 'AWAITING_APPROVAL', at, { kind: 'approval' });
        }
        break;
      case 'ExecutionCompleted':
      case 'ExecutionFailed':
      case 'ExecutionCancelled':
        finishedAt = at;
        for (const one of steps.values()) if (UNFINISHED.has(one.status)) become(one, 'CANCELLED', at, null, undefined, 'cancelled');
        break;
    }
  }
  return { steps, logs, startedAt, finishedAt };
}

/** Ends the stretch of time that a step is in, and begins the next. */
function become(step: StepRun, status: StepStatus, at: number, next: Phase | Omit<Phase, 'from' | 'to'> | null, attempt?: number, outcome?: Phase['outcome']) {
  const last = step.phases.at(-1);
  if (last && last.to === null) {
    last.to = at;
    if (outcome && last.kind === 'runs') last.outcome = outcome;
  }
  step.status = status;
  step.attempt = attempt ?? step.attempt;
  step.progress = null;
  step.retryAt = null;
  if (next) step.phases.push({ ...next, from: at, to: null });
}

/** How long a step has been worked on, over all attempts; null if it was not. */
export function workSeconds({ phases }: StepRun, now: number): number | null {
  const worked = phases.filter(({ kind }) => kind === 'runs');
  if (worked.length === 0) return null;
  return worked.reduce((sum, { from, to }) => sum + Math.max((to ?? now) - from, 0), 0) / 1000;
}
