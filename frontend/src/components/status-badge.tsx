import type { CheckpointStatus, DeliverableStatus, ExecutionStatus, StepStatus } from '../gql/enums';
import { CHECKPOINT_LOOKS, DELIVERABLE_LOOKS, EXECUTION_LOOKS, STEP_LOOKS, type Look } from './model/status';
import classes from './status-badge.module.css';
import { Tag } from './tag';

type Props =
  | { of: 'execution'; status: ExecutionStatus }
  | { of: 'step'; status: StepStatus }
  | { of: 'checkpoint'; status: CheckpointStatus }
  | { of: 'deliverable'; status: DeliverableStatus };

function lookOf(props: Props): Look {
  switch (props.of) {
    case 'execution':
      return EXECUTION_LOOKS[props.status];
    case 'step':
      return STEP_LOOKS[props.status];
    case 'checkpoint':
      return CHECKPOINT_LOOKS[props.status];
    case 'deliverable':
      return DELIVERABLE_LOOKS[props.status];
  }
}

/** The state of a thing: a word, with a colour and, while it moves, a pulse. */
export function StatusBadge(props: Props) {
  // A newer server may know states that this page does not.
  const { label, color, busy } = lookOf(props) ?? { label: props.status, color: 'gray' as const };
  return (
    <Tag color={color} icon={<span className={classes.dot} data-busy={busy ?? false} aria-hidden />}>
      {label}
    </Tag>
  );
}
