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

const SHORTEST = 180;
const TALLEST = 480;

/** How high a graph of this width must be for its steps to be as large as the width allows, with `strip` below them. */
export function fittingHeight(places: Places, width: number, strip: number): number {
  const xs = [...places.values()].map(({ x }) => x);
  const ys = [...places.values()].map(({ y }) => y);
  if (xs.length === 0) return SHORTEST;
  const wide = Math.max(...xs) - Math.min(...xs) + NODE.width;
  const high = Math.max(...ys) - Math.min(...ys) + NODE.height;
  const zoom = Math.min(1, (width * 0.9) / wide);
  return Math.min(Math.max(Math.ceil(high * zoom * 1.1) + strip, SHORTEST), TALLEST);
}
