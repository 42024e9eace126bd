import { MiniMap } from '@xyflow/react';
import { STEP_LOOKS } from '../model/status';
import { extentOf, type Places } from './layout';
import type { StepNodeType } from './step-node';

const [WIDEST, HIGHEST, LEAST] = [150, 84, 28];

/** All of a large graph, small: where its steps are, how they are, and which part of it is shown. Dragging moves the part. */
export function Overview({ places }: { places: Places }) {
  const { wide, high } = extentOf(places);
  const scale = Math.min(WIDEST / wide, HIGHEST / high);
  const size = { width: Math.max(wide * scale, LEAST), height: Math.max(high * scale, LEAST) };
  return (
    <MiniMap<StepNodeType>
      pannable
      position="bottom-left"
      style={size}
      nodeColor={({ data: { step } }) => colorOf(step.status ? STEP_LOOKS[step.status].color : 'gray')}
      nodeBorderRadius={16}
      ariaLabel="All steps, small"
    />
  );
}

const colorOf = (color: string) => `var(--mantine-color-${color}-${color === 'gray' ? 4 : 6})`;
