import { expect, test } from 'vitest';
import type { RunEvent } from '../run-event';
import { describeEvent } from './describe-event';
import { filterLogs } from './log-filter';
import { outcomeOf } from './outcome';
import { cursorBeforeOutput } from './output-cursor';
import { remaining } from './remaining';

const NOW = Date.parse('2026-03-01T12:01:00Z');
const event = (fields: Record<string, unknown>) => fields as unknown as RunEvent;

test('what is left of an estimate shrinks while somebody works', () => {
  const run = { status: 'RUNNING' as const, startedAt: '2026-03-01T12:00:00Z', durationSeconds: 40, estimatedSecondsRemaining: 50 };
  expect(remaining(run, NOW)).toBe('about 30 s');
  expect(remaining(run, NOW + 60_000)).toBe('any moment');
  expect(remaining({ ...run, status: 'PAUSED' }, NOW + 60_000)).toBe('about 50 s');
  expect(remaining({ ...run, estimatedSecondsRemaining: 1133 + 20 }, NOW)).toBe('about 19 min');
  expect(remaining({ ...run, estimatedSecondsRemaining: null }, NOW)).toBeNull();
});

test('the banner says how it ended and why', () => {
  const run = { pendingCheckpoints: 0 };
  expect(outcomeOf({ ...run, status: 'RUNNING' })).toBeNull();
  expect(outcomeOf({ ...run, status: 'COMPLETED', completionReason: 'PARTIAL' })?.color).toBe('orange');
  expect(outcomeOf({ ...run, status: 'FAILED', error: { message: 'no money', stepKey: 'pay', attempts: 3 } })).toMatchObject({
    title: 'Failed at the step pay after 3 attempts',
    text: 'no money',
  });
  expect(outcomeOf({ ...run, status: 'CANCELLED', completionReason: 'REJECTED' })?.text).toMatch(/rejected/);
  expect(outcomeOf({ status: 'AWAITING_APPROVAL', pendingCheckpoints: 2 })?.text).toMatch(/2 checkpoints/);
});

test('events in words; log lines have a view of their own', () => {
  expect(describeEvent(event({ __typename: 'StepLogged' }))).toBeNull();
  expect(describeEvent(event({ __typename: 'StepStarted', stepKey: 'pay', attempt: 2, workerId: 'w1' }))).toBe('pay began, attempt 2, by w1');
  expect(describeEvent(event({ __typename: 'CheckpointAutoApproved', checkpoint: { description: 'Refund 5' } }))).toBe('Checkpoint auto approved: Refund 5');
  expect(describeEvent(event({ __typename: 'DeliverableCreated', deliverableName: 'note.txt', versionNumber: 1 }))).toBe('Deliverable created: note.txt, version 1');
});

test('a log by level, step and text', () => {
  const line = (level: string, stepKey: string, message: string) => ({ cursor: message, at: '', level, stepKey, message });
  const logs = [line('DEBUG', 'a', 'one'), line('WARN', 'a', 'Two'), line('ERROR', 'b', 'three')];
  const none = { text: '', level: 'DEBUG', step: null };
  expect(filterLogs(logs, none)).toBe(logs);
  expect(filterLogs(logs, { ...none, level: 'WARN' })).toHaveLength(2);
  expect(filterLogs(logs, { ...none, step: 'b' })).toHaveLength(1);
  expect(filterLogs(logs, { ...none, text: 'tw' })).toHaveLength(1);
});

test('an output is read as the event that brought it, the latest if there are several', () => {
  const events = [
    { __typename: 'ExecutionQueued', cursor: '1' },
    { __typename: 'StepCompleted', cursor: '2', stepKey: 'pay' },
    { __typename: 'StepReopened', cursor: '3', stepKey: 'pay' },
    { __typename: 'StepCompleted', cursor: '4', stepKey: 'pay' },
  ].map(event);
  expect(cursorBeforeOutput(events, 'pay')).toBe('3');
  expect(cursorBeforeOutput(events, 'kept')).toBeNull();
});
