import { expect, test } from 'vitest';
import { shorten } from './shorten';

test('only lines that are too long are cut', () => {
  const text = JSON.stringify({ small: 1, large: 'x'.repeat(50), last: true }, null, 2);
  const { text: shown, cut } = shorten(text, 30);
  expect(cut).toBe(1);
  expect(shown.split('\n')).toHaveLength(5);
  expect(shown).toContain('more)",');
  expect(shorten(text, 100)).toEqual({ text, cut: 0 });
});
