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

test('what is taken out of a list or put into it is one difference: the rest has only moved', () => {
  const people = ['ada', 'bob', 'cleo', 'dan'].map((id) => ({ id, action: 'remove' }));
  const [ada, bob, cleo, dan] = people;
  expect(fieldDifferences({ people }, { people: [bob, cleo, dan] })).toEqual([{ path: '/people/0', before: ada, after: undefined }]);
  expect(fieldDifferences([1, 2, 3], [1, 9, 2, 3])).toEqual([{ path: '/1', before: undefined, after: 9 }]);
  // Who is still there is known by name, also beside somebody who is gone.
  expect(fieldDifferences(people, [ada, { ...cleo, action: 'keep' }, dan])).toEqual([
    { path: '/1', before: bob, after: undefined },
    { path: '/1/action', before: 'remove', after: 'keep' },
  ]);
  expect(fieldDifferences([ada], [dan])).toEqual([
    { path: '/0', before: ada, after: undefined },
    { path: '/0', before: undefined, after: dan },
  ]);
});

test('another order of a list is a difference', () => {
  expect(fieldDifferences([1, 2], [2, 1])).not.toEqual([]);
  expect(fieldDifferences([{ id: 'a' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }])).not.toEqual([]);
});

test('lists with little in common are compared by place, and nothing is left out', () => {
  const numbers = (from: number) => Array.from({ length: 2_000 }, (_, index) => from + index);
  const differences = fieldDifferences(numbers(0), numbers(10_000));
  expect(differences).toHaveLength(2_000);
  expect(differences[7]).toEqual({ path: '/7', before: 7, after: 10_007 });
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
