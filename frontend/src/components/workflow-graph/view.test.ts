import { expect, test } from 'vitest';
import { stepsOf } from './graph';
import { CLOSE, layOut, NODE } from './layout';
import { isInSight, partOf, stepOfInterest } from './view';

const WINDOW = { width: 700, height: 300 };
const chain = (length: number) => stepsOf({ steps: Array.from({ length }, (_, index) => ({ key: `s${index}` })) });

test('what can be read as a whole is shown as a whole', () => {
  expect(partOf(layOut(chain(3), 'LR'), 's0', WINDOW)).toBeUndefined();
  expect(partOf(layOut([], 'LR'), undefined, WINDOW)).toBeUndefined();
});

test('of a large graph the part around a step is shown, and nothing beside the graph', () => {
  const places = layOut(chain(12), 'LR');
  const at = (step: string) => {
    const view = partOf(places, step, WINDOW);
    const { x, y } = places.get(step) ?? { x: Number.NaN, y: Number.NaN };
    if (!view) throw new Error('all of it is shown');
    expect(view.zoom).toBe(CLOSE);
    expect(isInSight({ x, y }, view, WINDOW)).toBe(true);
    // Across the chain there is room enough: it is in the middle.
    expect((y + NODE.height / 2) * view.zoom + view.y).toBeCloseTo(WINDOW.height / 2);
    return (x + NODE.width / 2) * view.zoom + view.x;
  };
  expect(at('s6')).toBeCloseTo(WINDOW.width / 2);
  expect([at('s0'), at('s11')]).toEqual([16 + (NODE.width / 2) * CLOSE, WINDOW.width - 16 - (NODE.width / 2) * CLOSE]);
  const start = partOf(places, 's0', WINDOW);
  expect(start && isInSight(places.get('s6') ?? { x: 0, y: 0 }, start, WINDOW)).toBe(false);
});

test('people look first for what waits for them, then for what runs or has failed', () => {
  const [one, two, three] = [{ key: 'one', needs: [] }, { key: 'two', needs: [] }, { key: 'three', needs: [] }];
  expect(stepOfInterest([one, two])).toBeUndefined();
  expect(stepOfInterest([{ ...one, status: 'COMPLETED' }, { ...two, status: 'RUNNING' }, { ...three, status: 'PENDING' }])).toBe('two');
  expect(stepOfInterest([{ ...one, status: 'FAILED' }, { ...two, status: 'RUNNING' }, { ...three, status: 'AWAITING_APPROVAL' }])).toBe('three');
  expect(stepOfInterest([{ ...one, status: 'COMPLETED' }, { ...two, status: 'COMPLETED' }])).toBeUndefined();
});
