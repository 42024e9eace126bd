import { expect, test } from 'vitest';
import { actionsFor, canForkFrom } from './actions';

const version = { number: 1 };

test('what is offered is what the server allows', () => {
  expect([...actionsFor({ status: 'RUNNING', workflowVersion: version })]).toEqual(['pause', 'stop', 'fork']);
  expect([...actionsFor({ status: 'QUEUED', workflowVersion: version })]).toEqual(['pause', 'stop']);
  expect([...actionsFor({ status: 'FAILED', workflowVersion: version })]).toEqual(['retry', 'resumeFailed', 'fork']);
  expect([...actionsFor({ status: 'COMPLETED', completionReason: 'SUCCESS', workflowVersion: version })]).toEqual(['retry', 'fork']);
  expect(actionsFor({ status: 'COMPLETED', completionReason: 'PARTIAL', workflowVersion: version }).has('resumeFailed')).toBe(true);
});

test('a request that stands alone can only be stopped', () => {
  expect([...actionsFor({ status: 'AWAITING_APPROVAL', workflowVersion: null })]).toEqual(['pause', 'stop']);
  expect([...actionsFor({ status: 'COMPLETED', workflowVersion: null })]).toEqual([]);
});

test('a fork begins where everything before is done', () => {
  const steps = [
    { key: 'a', needs: [], status: 'COMPLETED' as const },
    { key: 'b', needs: ['a'], status: 'SKIPPED' as const },
    { key: 'c', needs: ['a'], status: 'RUNNING' as const },
    { key: 'd', needs: ['b', 'c'], status: 'PENDING' as const },
  ];
  expect(['a', 'b', 'c', 'd'].map((key) => canForkFrom(key, steps))).toEqual([true, true, true, false]);
});
