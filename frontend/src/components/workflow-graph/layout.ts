import { Graph, layout } from '@dagrejs/dagre';
import { edgesOf, type GraphStep } from './graph';

export const NODE = { width: 200, height: 64 };

export type Places = ReadonlyMap<string, { x: number; y: number }>;

/** Where each step goes: ranked by what it needs, from left to right or, where there is little room, from top to bottom. */
export function layOut(steps: readonly GraphStep[], direction: 'LR' | 'TB'): Places {
  const graph = new Graph();
  graph.setGraph({ rankdir: direction, nodesep: 28, ranksep: 64, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { key } of steps) graph.setNode(key, { ...NODE });
  for (const { from, to } of edgesOf(steps)) graph.setEdge(from, to);
  layout(graph);
  return new Map(
    steps.map(({ key }) => {
      const { x = 0, y = 0 } = graph.node(key) as { x?: number; y?: number };
      return [key, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
}

/** Drawn smaller than this, the name of a step cannot be read. */
export const READABLE = 0.6;
/** How large the part of a graph is drawn that cannot be read as a whole. */
export const CLOSE = 0.75;

const SHORTEST = 180;
const TALLEST = 480;

/** How high a graph of this width must be for its steps to be as large as the width allows, with `strip` below them. */
export function fittingHeight(places: Places, width: number, strip: number): number {
  if (places.size === 0) return SHORTEST;
  const { wide, high } = extentOf(places);
  const whole = Math.min(1, (width * 0.9) / wide);
  const zoom = whole < READABLE ? CLOSE : whole;
  return Math.min(Math.max(Math.ceil(high * zoom * 1.1) + strip, SHORTEST), TALLEST);
}

export function extentOf(places: Places): { left: number; top: number; wide: number; high: number } {
  const xs = [...places.values()].map(({ x }) => x);
  const ys = [...places.values()].map(({ y }) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, wide: Math.max(...xs) - left + NODE.width, high: Math.max(...ys) - top + NODE.height };
}
