import { expect, test } from 'vitest';
import { AT_ONCE, rowsToMake, type RowKey } from './gradual-rows';
import { createRowHeights } from './row-heights';

const places = (from: number, until: number) => Array.from({ length: until - from }, (_, index) => ({ key: `row ${from + index}`, index: from + index }));
const keys = (from: number, until: number): RowKey[] => places(from, until).map(({ key }) => key);

test('a few new rows are made at once', () => {
  expect(rowsToMake(places(3, 20), new Set(keys(0, 17)), { startIndex: 6, endIndex: 14 })).toEqual(new Set(keys(3, 20)));
});

test('of a screen of new rows, those in sight come first, and what is there stays', () => {
  const made = rowsToMake(places(100, 130), new Set(keys(80, 103)), { startIndex: 108, endIndex: 122 });
  expect(made).toEqual(new Set([...keys(100, 103), ...keys(108, 108 + AT_ONCE)]));
});

test('turn after turn, all of them are made', () => {
  let made: ReadonlySet<RowKey> = new Set();
  for (let turn = 0; turn < 30 / AT_ONCE; turn += 1) made = rowsToMake(places(0, 30), made, { startIndex: 8, endIndex: 21 });
  expect(made).toEqual(new Set(keys(0, 30)));
});

test('rows are taken to be as high as those that were seen, whatever a single one is', () => {
  const heights = createRowHeights();
  heights.learn('row', 77);
  heights.learn('row', 77);
  heights.learn('row', 140);
  expect(heights.guess('row')).toBe(77);
  expect(heights.guess('card')).toBe(createRowHeights().guess('card'));
});
