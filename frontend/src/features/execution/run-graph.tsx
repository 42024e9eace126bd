import { WorkflowGraph } from '../../components/workflow-graph/workflow-graph';
import type { GraphStep } from '../../components/workflow-graph/graph';

interface Props {
  steps: readonly GraphStep[];
  selected: string | null;
  onSelect: (key: string | null) => void;
}

/** The workflow with each step in the colour of its state. Higher where steps stand beside each other. */
export function RunGraph({ steps, selected, onSelect }: Props) {
  const needed = new Set(steps.flatMap(({ needs }) => needs));
  const branches = Math.max(steps.filter(({ needs }) => needs.length === 0).length, steps.filter(({ key }) => !needed.has(key)).length, 1);
  const height = Math.min(180 + (branches - 1) * 90 + (steps.length > 6 ? 60 : 0), 460);
  return <WorkflowGraph steps={steps} selected={selected} onSelect={onSelect} height={height} label="Steps of this execution" />;
}
