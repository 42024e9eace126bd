import { expect, test } from 'vitest';
import { edgesOf, stepsOf } from './graph';
import { layOut } from './layout';

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
