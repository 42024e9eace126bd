import { expect, test } from 'vitest';
import { durationTicks } from './duration-steps';

test('a scale has a few marks at round times, and room for everything', () => {
  expect(durationTicks(6_000)).toEqual([0, 1_800, 3_600, 5_400, 7_200]);
  expect(durationTicks(0.4)).toEqual([0, 0.1, 0.2, 0.3, 0.4].map((tick) => expect.closeTo(tick, 6) as number));
  expect(durationTicks(20 * 86_400)).toEqual([0, 4, 8, 12, 16, 20].map((days) => days * 86_400));
  expect(durationTicks(0)).toEqual([0]);
});
