import '@xyflow/react/dist/style.css';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Background, Controls, MarkerType, ReactFlow, useReactFlow, useStore, type Edge, type FitViewOptions, type NodeTypes } from '@xyflow/react';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { edgesOf } from './graph';
import { fittingHeight, layOut, NODE } from './layout';
import { StepNode, type StepNodeType } from './step-node';
import type { WorkflowGraphProps } from './workflow-graph';
import classes from './workflow-graph.module.css';

const NODE_TYPES: NodeTypes = { step: StepNode };

/** The buttons have a strip of their own below the steps. */
const STRIP = 44;
const FIT: FitViewOptions = { maxZoom: 1, padding: { x: 0.05, top: 0.08, bottom: `${STRIP}px` } };

/** Three steps beside each other could not be read in less. */
const NARROW = 560;

export default function WorkflowGraphImpl({ steps, selected = null, onSelect, height = 360, label = 'Steps of the workflow' }: WorkflowGraphProps) {
  const scheme = useComputedColorScheme();
  const { ref, width } = useElementSize();
  const narrow = width < NARROW;
  const direction = narrow ? 'TB' : 'LR';
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
      // A step that says nothing of its size is measured anew at each change, and has no lines until then.
      measured: NODE,
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
    <section ref={ref} className={classes.graph} style={{ height: narrow && width > 0 ? fittingHeight(places, width, STRIP) : height }} aria-label={label}>
      {width > 0 && (
        <ReactFlow
          key={direction}
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          colorMode={scheme}
          fitView
          fitViewOptions={FIT}
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
          <Refit shape={shape} />
          <Background gap={20} />
          <Controls showInteractive={false} orientation="horizontal" position="bottom-right" />
        </ReactFlow>
      )}
    </section>
  );
}

/** Steps that are added, and a window that changes its size, leave nothing out of sight. */
function Refit({ shape }: { shape: string }) {
  const { fitView } = useReactFlow();
  const size = useStore(({ width, height }) => `${width} ${height}`);
  const fit = useEffectEvent(() => void fitView(FIT));
  useEffect(() => {
    // After the steps have got their new places.
    const timer = setTimeout(fit, 0, shape, size);
    return () => clearTimeout(timer);
  }, [shape, size]);
  return null;
}
