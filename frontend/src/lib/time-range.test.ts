import { expect, test } from 'vitest';
import { choiceOf, dayOf, rangeOf } from './time-range';

const NOW = Date.parse('2026-03-10T14:35:00Z');
const params = (text: string) => new URLSearchParams(text);

test('a preset goes along with the clock, in whole hours', () => {
  expect(rangeOf(params('range=24h'), NOW)).toEqual({ from: '2026-03-09T14:00:00.000Z', until: null });
  expect(rangeOf(params('range=24h'), NOW + 60_000)).toEqual(rangeOf(params('range=24h'), NOW));
  expect(rangeOf(params(''), NOW, '7d').from).toBe('2026-03-03T14:00:00.000Z');
});

test('days are whole days, the last one included', () => {
  expect(rangeOf(params('from=2026-02-01&until=2026-02-28'), NOW)).toEqual({
    from: '2026-02-01T00:00:00.000Z',
    until: '2026-03-01T00:00:00.000Z',
  });
});

test('nonsense is no range', () => {
  expect(rangeOf(params('range=1y'), NOW)).toEqual({ from: null, until: null });
  expect(rangeOf(params('from=yesterday'), NOW)).toEqual({ from: null, until: null });
  expect(choiceOf(params('range=1y'))).toBeNull();
  expect(choiceOf(params('from=2026-02-01&range=7d'))).toBe('custom');
  expect(dayOf(NOW)).toBe('2026-03-10');
});
