import type { RunEvent } from '../run-event';

/** The cursor after which the event comes that brought a step's latest output; null if none did in this execution. */
export function cursorBeforeOutput(events: readonly RunEvent[], stepKey: string): string | null {
  const index = events.findLastIndex((event) => event.__typename === 'StepCompleted' && event.stepKey === stepKey);
  // There is always one before: the execution was made.
  return index > 0 ? (events[index - 1]?.cursor ?? null) : null;
}
