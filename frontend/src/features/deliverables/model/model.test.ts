import { expect, test } from 'vitest';
import { filterOf, parseFilters, shelfCounts } from './filters';
import { groupByExecution, placesOf } from './group';

test('rows stand under their executions, the newest first', () => {
  const row = (id: string, execution: string) => ({ id, execution: { id: execution } });
  const lines = groupByExecution([row('a', 'x'), row('b', 'y'), row('c', 'x')]);
  expect(lines.map(({ id }) => id)).toEqual(['of x', 'a', 'c', 'of y', 'b']);
  expect(lines[0]).toMatchObject({ kind: 'execution', count: 2 });
});

test('a line stays the same object while its row does, so that another page makes no row again', () => {
  const [x, y] = [{ id: 'x' }, { id: 'y' }];
  const rows = [{ id: 'a', execution: x }, { id: 'b', execution: y }];
  const before = groupByExecution(rows);
  const after = groupByExecution([...rows, { id: 'c', execution: y }]);
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(after[2]).toMatchObject({ kind: 'execution', count: 2 });
});

test('the rows of lines in sight are found wherever their pages are', () => {
  const row = (id: string, execution: string) => ({ id, execution: { id: execution } });
  const rows = [row('a', 'x'), row('b', 'y'), row('c', 'z'), row('d', 'x')];
  const lines = groupByExecution(rows);
  expect(placesOf(lines.slice(0, 3), rows)).toEqual([0, 3]);
  expect(placesOf(lines.slice(3), rows)).toEqual([1, 2]);
});

test('the address and the API agree on what is asked for', () => {
  const filters = parseFilters(new URLSearchParams('type=CODE&type=NOPE&q= plan &status=ARCHIVED&execution=exe_1'));
  expect(filterOf(filters)).toEqual({ status: ['ARCHIVED'], type: ['CODE'], search: 'plan', executionId: 'exe_1' });
  expect(filterOf(parseFilters(new URLSearchParams('status=toString')))).toEqual({ status: ['DRAFT', 'FINAL'] });
});

test('current is what is not put away', () => {
  expect(shelfCounts([{ status: 'DRAFT', count: 2 }, { status: 'FINAL', count: 3 }])).toEqual({ CURRENT: 5, DRAFT: 2, FINAL: 3, ARCHIVED: 0 });
});
