import { IconHandStop } from '@tabler/icons-react';
import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { STEP_LOOKS } from '../model/status';
import type { GraphStep } from './graph';
import classes from './workflow-graph.module.css';

export type StepNodeType = Node<{ step: GraphStep; direction: 'LR' | 'TB' }, 'step'>;

/** One step: its name, its agent, and its state in a colour and a word. */
export function StepNode({ data: { step, direction }, selected }: NodeProps<StepNodeType>) {
  const look = step.status ? STEP_LOOKS[step.status] : null;
  const [into, out] = direction === 'LR' ? [Position.Left, Position.Right] : [Position.Top, Position.Bottom];
  return (
    <div className={classes.step} data-color={look?.color ?? 'none'} data-busy={look?.busy ?? false} data-selected={selected}>
      <Handle type="target" position={into} isConnectable={false} />
      <div className={classes.name}>
        <span className={classes.label}>{step.label ?? step.key}</span>
        {step.gated && <IconHandStop size={14} aria-label="people are asked" role="img" />}
      </div>
      <div className={classes.detail}>{[look?.label, step.detail].filter(Boolean).join(' · ')}</div>
      <Handle type="source" position={out} isConnectable={false} />
    </div>
  );
}
