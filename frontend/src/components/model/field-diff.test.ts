import { expect, test } from 'vitest';
import { ExactNumber } from '../../lib/exact-json';
import { fieldDifferences, readablePath } from './field-diff';

test('tells what was changed, added and removed, and nothing else', () => {
  const before = { amount: 100, to: 'Ada', lines: [1, 2], old: null, same: { a: [1] } };
  const after = { amount: 90, to: 'Ada', lines: [1, 3, 4], same: { a: [1] } };
  expect(fieldDifferences(before, after)).toEqual([
    { path: '/amount', before: 100, after: 90 },
    { path: '/lines/1', before: 2, after: 3 },
    { path: '/lines/2', before: undefined, after: 4 },
    { path: '/old', before: null, after: undefined },
  ]);
});

test('a digit that a double would lose is a difference', () => {
  const differences = fieldDifferences({ n: new ExactNumber('9007199254740993') }, { n: new ExactNumber('9007199254740995') });
  expect(differences).toHaveLength(1);
});

test('another type is one difference', () => {
  expect(fieldDifferences({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: '/a', before: [1], after: { 0: 1 } }]);
  expect(fieldDifferences('x', 'x')).toEqual([]);
});

test('paths as people say them', () => {
  expect(readablePath('/lines/0/a~1b')).toBe('lines → 1 → a/b');
  expect(readablePath('')).toBe('The whole value');
});
