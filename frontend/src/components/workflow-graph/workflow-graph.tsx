import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { GraphStep } from './graph';

export interface WorkflowGraphProps {
  steps: readonly GraphStep[];
  selected?: string | null;
  /** A click or Enter on a step; null for the ground between them. */
  onSelect?: (key: string | null) => void;
  label?: string;
}

const Impl = lazy(() => import('./workflow-graph-impl'));

/** A workflow as a graph, each step in the colour of its state. Steps can be reached by Tab and chosen by Enter. */
export function WorkflowGraph(props: WorkflowGraphProps) {
  return (
    <Suspense fallback={<Skeleton height={180} radius="lg" />}>
      <Impl {...props} />
    </Suspense>
  );
}
