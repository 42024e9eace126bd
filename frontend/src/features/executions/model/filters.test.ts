import { expect, test } from 'vitest';
import { parseFilters, stillFits, toApi } from './filters';

const NOW = Date.parse('2026-03-01T12:34:56.789Z');
const parse = (query: string) => parseFilters(new URLSearchParams(query), NOW);

test('an address without filters shows everything', () => {
  expect(toApi(parse(''))).toEqual({});
});

test('all filters at once', () => {
  const filters = parse('status=FAILED&status=PAUSED&workflow=wf_1&mode=TEST&range=24h&origin=exe_1&reference=%20order%2017%20');
  expect(toApi(filters)).toEqual({
    status: ['FAILED', 'PAUSED'],
    workflowId: 'wf_1',
    mode: 'TEST',
    from: '2026-02-28T12:00:00.000Z',
    originId: 'exe_1',
    correlationId: 'order 17',
  });
});

test('what nobody knows is no filter', () => {
  expect(toApi(parse('status=GONE&mode=FAST&range=2y'))).toEqual({});
});

test('a row that has ended leaves the list of what runs', () => {
  const filters = parse('status=RUNNING');
  expect(stillFits(filters, { status: 'RUNNING' })).toBe(true);
  expect(stillFits(filters, { status: 'COMPLETED' })).toBe(false);
  expect(stillFits(parse(''), { status: 'COMPLETED' })).toBe(true);
});
