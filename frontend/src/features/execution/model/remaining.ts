import type { ExecutionStatus } from '../../../gql/enums';
import { duration } from '../../../lib/format';

interface Subject {
  readonly status: ExecutionStatus;
  readonly startedAt?: string | null;
  /** How long it had taken when the estimate was made. */
  readonly durationSeconds?: number | null;
  readonly estimatedSecondsRemaining?: number | null;
}

/** What is left of the estimate by now, in words; null if nothing is known. The clock of what nobody works on stands still. */
export function remaining({ status, startedAt, durationSeconds, estimatedSecondsRemaining: estimate }: Subject, now: number): string | null {
  if (estimate === null || estimate === undefined) return null;
  const still = status === 'PAUSED' || status === 'AWAITING_APPROVAL' || !startedAt;
  const saidAt = still ? now : Date.parse(startedAt) + (durationSeconds ?? 0) * 1000;
  const left = estimate - Math.max(now - saidAt, 0) / 1000;
  return left < 1 ? 'any moment' : `about ${duration(rounded(left))}`;
}

/** An estimate is no better than its largest unit. */
function rounded(seconds: number): number {
  const unit = seconds < 60 ? 1 : seconds < 3600 ? 60 : 1800;
  return Math.ceil(seconds / unit) * unit;
}
