import { expect, test } from 'vitest';
import { edgesOf, stepsOf } from './graph';
import { fittingHeight, layOut } from './layout';

const STEPS = stepsOf({
  steps: [
    { key: 'read', agent: 'Mail' },
    { key: 'judge', agent: 'Rules' },
    { key: 'log', agent: 'Log', needs: [] },
    { key: 'pay', agent: 'Bank', needs: ['judge', 'log', 'nowhere'], gate: 'ALWAYS' },
    { note: 'half written' },
    null,
  ],
});

test('a step follows the one before it, unless it says what it needs', () => {
  expect(edgesOf(STEPS)).toEqual([
    { from: 'read', to: 'judge' },
    { from: 'judge', to: 'pay' },
    { from: 'log', to: 'pay' },
  ]);
  expect(STEPS.filter(({ gated }) => gated).map(({ key }) => key)).toEqual(['pay']);
  expect(stepsOf('nonsense')).toEqual([]);
});

test('what comes later is drawn further on, and nothing overlaps', () => {
  const places = layOut(STEPS, 'LR');
  const x = (key: string) => places.get(key)?.x ?? Number.NaN;
  expect(x('read')).toBeLessThan(x('judge'));
  expect(x('judge')).toBeLessThan(x('pay'));
  expect(new Set([...places.values()].map((place) => `${place.x} ${place.y}`)).size).toBe(STEPS.length);
});

test('a narrow graph is as high as its steps need, and no higher than a screen', () => {
  const chain = (length: number) => layOut(stepsOf({ steps: Array.from({ length }, (_, index) => ({ key: `s${index}` })) }), 'TB');
  const heights = [0, 1, 3, 100].map((length) => fittingHeight(chain(length), 320, 44));
  expect(heights).toEqual([180, 180, expect.any(Number), 480]);
  expect(heights[2]).toBeGreaterThan(3 * 64 + 2 * 64 + 44);
  // Steps beside each other are drawn smaller, and so need less.
  const beside = layOut(stepsOf({ steps: ['a', 'b', 'c'].map((key) => ({ key, needs: [] })).concat({ key: 'd', needs: ['a', 'b', 'c'] as never[] }, { key: 'e', needs: ['d'] as never[] }) }), 'TB');
  expect(fittingHeight(beside, 320, 44)).toBeLessThan(heights[2] ?? 0);
});
