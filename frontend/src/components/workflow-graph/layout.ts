import { Graph, layout } from '@dagrejs/dagre';
import { edgesOf, type GraphStep } from './graph';

export const NODE = { width: 200, height: 64 };

/** Where each step goes: ranked by what it needs, from left to right or, on a phone, from top to bottom. */
export function layOut(steps: readonly GraphStep[], direction: 'LR' | 'TB'): Map<string, { x: number; y: number }> {
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
