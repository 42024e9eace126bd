import '@xyflow/react/dist/style.css';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Background, Controls, MarkerType, ReactFlow, type Edge, type FitViewOptions, type NodeTypes } from '@xyflow/react';
import { useMemo, useState } from 'react';
import { Camera } from './camera';
import { edgesOf } from './graph';
import { fittingHeight, layOut, NODE } from './layout';
import { Overview } from './overview';
import { StepNode, type StepNodeType } from './step-node';
import type { WorkflowGraphProps } from './workflow-graph';
import { isInSight, partOf, stepOfInterest } from './view';
import classes from './workflow-graph.module.css';

const NODE_TYPES: NodeTypes = { step: StepNode };

/** The buttons have a strip of their own below the steps. */
const STRIP = 44;
const FIT: FitViewOptions = { maxZoom: 1, padding: { x: 0.05, top: 0.08, bottom: `${STRIP}px` } };

/** Three steps beside each other could not be read in less. */
const NARROW = 560;

export default function WorkflowGraphImpl({ steps, selected = null, onSelect, label = 'Steps of the workflow' }: WorkflowGraphProps) {
  const scheme = useComputedColorScheme();
  const { ref, width } = useElementSize();
  const narrow = width < NARROW;
  const direction = narrow ? 'TB' : 'LR';
  // States change every moment, the shape does not: only the shape is laid out again.
  const shape = JSON.stringify(steps.map(({ key, needs }) => [key, needs]));
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `shape` stands for what the layout reads of the steps
  const places = useMemo(() => layOut(steps, direction), [shape, direction]);

  const height = fittingHeight(places, width, STRIP);
  const room = { width, height: height - STRIP };
  const interest = stepOfInterest(steps);
  const part = partOf(places, interest ?? steps[0]?.key, room);
  const [moved, setMoved] = useState<typeof direction | null>(null);
  const taken = () => setMoved(direction);

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
    <section ref={ref} className={classes.graph} style={{ height }} aria-label={label} onPointerDownCapture={taken} onKeyDownCapture={taken}>
      {width > 0 && (
        <ReactFlow
          key={direction}
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          colorMode={scheme}
          {...(part ? { defaultViewport: part } : { fitView: true, fitViewOptions: FIT })}
          // So that all of the largest workflow can be shown.
          minZoom={0.02}
          onMoveStart={(event) => event && taken()}
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
          <Camera
            shape={shape}
            part={part}
            fit={FIT}
            interest={interest}
            canSee={(step, view) => isInSight(places.get(step) ?? { x: 0, y: 0 }, view, room)}
            byHand={moved === direction}
          />
          <Background gap={20} />
          {part && !narrow && <Overview places={places} />}
          <Controls showInteractive={false} orientation="horizontal" position="bottom-right" fitViewOptions={FIT} />
        </ReactFlow>
      )}
    </section>
  );
}
