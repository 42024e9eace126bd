import { expect, test } from 'vitest';
import type { RunEvent } from '../run-event';
import { runOf, workSeconds } from './run';
import { barsOf, scaleOf } from './timeline';

let number = 0;
const START = Date.parse('2026-03-01T12:00:00Z');

/** An event so many seconds after the start. */
function at(seconds: number, event: Record<string, unknown>): RunEvent {
  number += 1;
  const base = { cursor: `c${number}`, at: new Date(START + seconds * 1000).toISOString(), actor: { kind: 'SYSTEM', displayName: null } };
  return { ...base, ...event } as unknown as RunEvent;
}

const step = (type: string, stepKey: string, more: Record<string, unknown> = {}) => ({ __typename: type, stepKey, attempt: 1, ...more });

test('a step from the queue to its output', () => {
  const events = [
    at(0, { __typename: 'ExecutionStarted' }),
    at(0, step('StepScheduled', 'pay')),
    at(2, step('StepStarted', 'pay')),
    at(3, step('StepProgressed', 'pay', { progress: 0.5 })),
    at(4, step('StepLogged', 'pay', { level: 'INFO', message: 'half-way' })),
  ];
  const running = runOf(events);
  expect(running.steps.get('pay')).toMatchObject({ status: 'RUNNING', attempt: 1, progress: 0.5 });
  expect(running.logs).toMatchObject([{ stepKey: 'pay', level: 'INFO', message: 'half-way' }]);

  const done = runOf([...events, at(6, step('StepCompleted', 'pay')), at(6, { __typename: 'ExecutionCompleted' })]);
  const pay = done.steps.get('pay');
  expect(pay).toMatchObject({ status: 'COMPLETED', progress: null });
  expect(pay && workSeconds(pay, 0)).toBe(4);
  expect(done.finishedAt).toBe(START + 6000);
});

test('failed attempts, the pause between them, and the last one', () => {
  const { steps } = runOf([
    at(0, step('StepStarted', 'call')),
    at(1, step('StepRetried', 'call', { retryAt: '2026-03-01T12:00:05Z', error: {} })),
    at(5, step('StepStarted', 'call', { attempt: 2 })),
    at(7, step('StepFailed', 'call', { attempt: 2, error: {} })),
  ]);
  const call = steps.get('call');
  expect(call).toMatchObject({ status: 'FAILED', attempt: 2, retryAt: null });
  expect(call?.phases.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['runs', 'failed'],
    ['pause', undefined],
    ['runs', 'failed'],
  ]);
  expect(call && workSeconds(call, 0)).toBe(3);
});

test('what runs when the execution is stopped is cancelled; what had not begun stays', () => {
  const { steps } = runOf([at(0, step('StepStarted', 'a')), at(1, step('StepReopened', 'b')), at(2, { __typename: 'ExecutionCancelled' })]);
  expect(steps.get('a')?.status).toBe('CANCELLED');
  expect(steps.get('b')?.status).toBe('PENDING');
});

test('a step waits for people; its worker, who asks in between, does not', () => {
  const checkpoint = (kind: string) => ({ __typename: 'CheckpointRequested', checkpoint: { id: 'chk_1', kind, stepKey: 'pay' } });
  expect(runOf([at(0, checkpoint('STEP'))]).steps.get('pay')?.status).toBe('AWAITING_APPROVAL');
  expect(runOf([at(0, step('StepStarted', 'pay')), at(1, checkpoint('EXTERNAL'))]).steps.get('pay')?.status).toBe('RUNNING');
});

test('an event that this page does not know changes nothing', () => {
  expect(runOf([at(0, { __typename: 'StepTeleported', stepKey: 'pay' })]).steps.size).toBe(0);
});

test('bars are shares of the time from the first to the last', () => {
  const run = runOf([
    at(0, { __typename: 'ExecutionStarted' }),
    at(0, step('StepScheduled', 'pay')),
    at(5, step('StepStarted', 'pay')),
  ]);
  const now = START + 20_000;
  const scale = scaleOf(run, now);
  expect(scale?.ticks).toEqual([0, 5, 10, 15, 20]);
  const pay = run.steps.get('pay');
  expect(pay && scale && barsOf(pay, scale, now)).toMatchObject([
    { kind: 'waits', left: 0, width: 0.25, seconds: 5 },
    { kind: 'runs', left: 0.25, width: 0.75, seconds: 15, outcome: 'busy' },
  ]);
  expect(scaleOf(runOf([]), now)).toBeNull();
});
