import { bytes, words } from '../../../lib/format';
import type { RunEvent } from '../run-event';

/** What happened in one line; null for what is told elsewhere: log lines and progress have views of their own. */
export function describeEvent(event: RunEvent): string | null {
  switch (event.__typename) {
    case 'StepLogged':
    case 'StepProgressed':
      return null;
    case 'ExecutionQueued':
      return event.keptStepKeys.length > 0 ? `Made, with the outputs of ${event.keptStepKeys.join(', ')} kept` : 'Made';
    case 'ExecutionStarted':
      return 'Started';
    case 'ExecutionPaused':
      return 'Paused';
    case 'ExecutionResumed':
      return 'Resumed';
    case 'ExecutionCompleted':
      return event.completionReason === 'PARTIAL' ? 'Completed in part' : 'Completed';
    case 'ExecutionFailed':
      return `Failed: ${event.error.message}`;
    case 'ExecutionCancelled':
      return `Stopped for good${event.reason ? `: ${event.reason}` : ''}`;
    case 'StepScheduled':
      return `${event.stepKey} waits for ${event.queue ? `a worker of the queue ${event.queue}` : 'a free place'}`;
    case 'StepStarted':
      return `${event.stepKey} began${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}${event.workerId ? `, by ${event.workerId}` : ''}`;
    case 'StepReleased':
      return `${event.stepKey} was given back: ${words(event.releaseReason).toLowerCase()}`;
    case 'StepCompleted':
      return `${event.stepKey} completed`;
    case 'StepRetried':
      return `${event.stepKey} failed at attempt ${event.attempt} and is tried again: ${event.error.message}`;
    case 'StepFailed':
      return `${event.stepKey} failed: ${event.error.message}`;
    case 'StepSkipped':
      return `${event.stepKey} was skipped: ${event.skippedBecause}`;
    case 'StepReopened':
      return `${event.stepKey} runs again${event.reason ? `: ${event.reason}` : ''}`;
    case 'PayloadLarge':
      return `${event.outputOf ? `The output of ${event.outputOf}` : 'The input'} is large: ${bytes(event.bytes)}`;
    case 'UnknownEvent':
      return 'Something that this page does not know';
    default:
      return 'checkpoint' in event ? aboutCheckpoint(event) : aboutDeliverable(event);
  }
}

function aboutCheckpoint({ __typename, checkpoint }: { __typename: string; checkpoint: { description: string } }): string {
  // `CheckpointAutoApproved` as people write it.
  const what = words(__typename.replace(/^Checkpoint/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')).toLowerCase();
  return `Checkpoint ${what}: ${checkpoint.description}`;
}

function aboutDeliverable({ __typename, deliverableName, versionNumber }: { __typename: string; deliverableName: string; versionNumber: number }): string {
  return `Deliverable ${words(__typename.replace(/^Deliverable/, '')).toLowerCase()}: ${deliverableName}, version ${versionNumber}`;
}
