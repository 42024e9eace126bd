import type { CompletionReason, ExecutionStatus } from '../../../gql/enums';

/** The banner over a run that came to an end, or that only people can move. */
export interface Outcome {
  color: 'brand' | 'red' | 'orange' | 'yellow' | 'gray';
  title: string;
  text: string;
}

interface Subject {
  readonly status: ExecutionStatus;
  readonly completionReason?: CompletionReason | null;
  readonly pendingCheckpoints: number;
  readonly error?: { readonly message: string; readonly stepKey?: string | null; readonly attempts: number } | null;
}

const CANCELLED: Partial<Record<CompletionReason, string>> = {
  REJECTED: 'Somebody rejected what it was about to do.',
  APPROVAL_TIMEOUT: 'Nobody decided in time about what it was about to do.',
};

/** Null while there is nothing to say that the rest of the page does not. */
export function outcomeOf({ status, completionReason, pendingCheckpoints, error }: Subject): Outcome | null {
  switch (status) {
    case 'COMPLETED':
      return completionReason === 'PARTIAL'
        ? { color: 'orange', title: 'Completed in part', text: 'Some steps failed, and the others went on without them. It can be resumed from the failure.' }
        : { color: 'brand', title: 'Completed', text: 'All that had to be done was done.' };
    case 'FAILED':
      return { color: 'red', title: failureTitle(error), text: error?.message ?? 'It stopped at an error.' };
    case 'LIMIT_REACHED':
      return { color: 'orange', title: 'A limit was reached', text: error?.message ?? 'It reached one of its limits.' };
    case 'CANCELLED':
      return { color: 'gray', title: 'Stopped for good', text: (completionReason && CANCELLED[completionReason]) ?? 'Somebody stopped it.' };
    case 'AWAITING_APPROVAL':
      return { color: 'yellow', title: 'Waits for people', text: waiting(pendingCheckpoints) };
    case 'PAUSED':
      return { color: 'gray', title: 'Paused', text: 'What ran came to its end; nothing new begins until somebody resumes it.' };
    default:
      return null;
  }
}

function failureTitle(error: Subject['error']): string {
  if (!error?.stepKey) return 'Failed';
  const times = error.attempts > 1 ? ` after ${error.attempts} attempts` : '';
  return `Failed at the step ${error.stepKey}${times}`;
}

function waiting(checkpoints: number): string {
  return checkpoints > 1 ? `It goes on when ${checkpoints} checkpoints have been decided.` : 'It goes on when somebody has decided.';
}
