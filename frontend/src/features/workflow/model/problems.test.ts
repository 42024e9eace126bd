import { expect, test } from 'vitest';
import { marksOf } from './problems';

const TEXT = 'name: X\nsteps:\n  - key: a\n    agent: Nobody\n    colour: red\n';

test('each problem is marked where it is', () => {
  const marks = marksOf(TEXT, [
    { path: '/steps/0/agent', code: 'UNKNOWN_AGENT', message: 'there is no agent `Nobody`' },
    { path: '/steps/0/colour', code: 'UNKNOWN_FIELD', message: '`colour` is not a field' },
    { path: '/steps/0/when', code: 'MISSING', message: 'is missing', fields: ['amount'] },
  ]);
  expect(marks.map(({ line, column }) => [line, column])).toEqual([
    [4, 5],
    [5, 5],
    [3, 5],
  ]);
  expect(marks[0]?.message).toBe('There is no agent `Nobody`');
  expect(marks[2]?.message).toBe('Is missing (map by hand: amount)');
});

test('a text that cannot be read is marked where reading stopped', () => {
  expect(marksOf('a: [', [{ path: '', code: 'SYNTAX', message: "line 3, column 1: expected ']'" }])[0]).toMatchObject({ line: 3, column: 1 });
});
