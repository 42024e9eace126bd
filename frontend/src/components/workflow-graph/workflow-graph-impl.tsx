import '@xyflow/react/dist/style.css';
import { useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Background, Controls, MarkerType, ReactFlow, type Edge, type NodeTypes } from '@xyflow/react';
import { useMemo } from 'react';
import { edgesOf } from './graph';
import { layOut, NODE } from './layout';
import { StepNode, type StepNodeType } from './step-node';
import type { WorkflowGraphProps } from './workflow-graph';
import classes from './workflow-graph.module.css';

const NODE_TYPES: NodeTypes = { step: StepNode };

export default function WorkflowGraphImpl({ steps, selected = null, onSelect, height = 360, label = 'Steps of the workflow' }: WorkflowGraphProps) {
  const scheme = useComputedColorScheme();
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const direction = phone ? 'TB' : 'LR';
  // States change every moment, the shape does not: only the shape is laid out again.
  const shape = JSON.stringify(steps.map(({ key, needs }) => [key, needs]));
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `shape` stands for what the layout reads of the steps
  const places = useMemo(() => layOut(steps, direction), [shape, direction]);

  const nodes = steps.map(
    (step): StepNodeType => ({
      id: step.key,
      type: 'step',
      position: places.get(step.key) ?? { x: 0, y: 0 },
      data: { step, direction },
      selected: step.key === selected,
      ...NODE,
      ariaLabel: `Step ${step.label ?? step.key}`,
    }),
  );
  const edges = edgesOf(steps).map(
    ({ from, to }): Edge => ({
      id: `${from} ${to}`,
      source: from,
      target: to,
      animated: steps.some(({ key, status }) => key === to && status === 'RUNNING'),
      markerEnd: { type: MarkerType.ArrowClosed },
      focusable: false,
    }),
  );

  return (
    <section className={classes.graph} style={{ height }} aria-label={label}>
      <ReactFlow
        key={direction}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={scheme}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable
        // The page scrolls with the wheel; the graph zooms with Ctrl or by its buttons.
        zoomOnScroll={false}
        preventScrolling={false}
        // A click, Enter and Space all arrive here; editing will get its moves from here as well.
        onNodesChange={(changes) => {
          const chosen = changes.find((change) => change.type === 'select' && change.selected);
          if (chosen && 'id' in chosen) onSelect?.(chosen.id);
        }}
        onPaneClick={() => onSelect?.(null)}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  );
}
