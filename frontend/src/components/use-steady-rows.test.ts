// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useSteadyRows } from './use-steady-rows';

/** A list that shows these rows at this place of the page, and tells how often it was held. */
function showList(first: string[], { steady = true } = {}) {
  const hold = { playState: 'running' as AnimationPlayState };
  const animate = vi.fn<() => Animation>(() => hold as Animation);
  const box = { current: { animate } };
  const places = (rows: string[]) => rows.map((key, index) => ({ key, index, start: 0, end: 0, size: 0, lane: 0 }));
  const { rerender } = renderHook(({ rows, offset }) => useSteadyRows(box, places(rows), offset, steady), { initialProps: { rows: first, offset: 0 } });
  const show = (rows: string[], offset = 120) => {
    rerender({ rows, offset });
    return animate.mock.calls.length;
  };
  return { show, hold };
}

test('is held when a row takes the place of another', () => {
  const { show } = showList(['a', 'b', 'c']);
  expect(show(['a', 'b', 'c']), 'where the list begins is known only now').toBe(0);
  expect(show(['a', 'c']), 'b was decided').toBe(1);
});

test('is held when something above moves all of them', () => {
  const { show } = showList(['a', 'b']);
  show(['a', 'b'], 120);
  expect(show(['a', 'b'], 240)).toBe(1);
});

test('is not held for rows that come at its end, or leave it there', () => {
  const { show } = showList(['a', 'b']);
  expect(show(['a', 'b', 'c'])).toBe(0);
  expect(show(['a'])).toBe(0);
});

test('is not held without an end where rows come all the time', () => {
  const { show, hold } = showList(['a']);
  expect(show(['b', 'a'])).toBe(1);
  expect(show(['c', 'b', 'a'])).toBe(1);
  hold.playState = 'finished';
  expect(show(['d', 'c', 'b', 'a'])).toBe(2);
});

test('is never held where a press decides nothing', () => {
  const { show } = showList(['a', 'b'], { steady: false });
  expect(show(['b'])).toBe(0);
});
