import type { ExecutionStatus } from '../gql/enums';
import { Bar } from './bar';
import classes from './bar.module.css';
import { EXECUTION_LOOKS } from './model/status';

interface Props {
  status: ExecutionStatus;
  progress: { readonly done: number; readonly total: number; readonly percent: number };
  size?: 'sm' | 'md';
}

/** How many steps of an execution are over, in the colour of its state. */
export function StepProgress({ status, progress: { done, total, percent }, size = 'sm' }: Props) {
  // A request that stands alone has no steps to count.
  if (total === 0) return <span className={classes.without}>No steps</span>;
  const { color } = EXECUTION_LOOKS[status] ?? { color: 'gray' as const };
  return (
    <div className={classes.line}>
      <Bar label="Steps that are over" percent={percent} text={`${done} of ${total}`} color={color} height={size === 'md' ? 8 : 5} />
      <span className={classes.figure}>
        {done}/{total}
      </span>
    </div>
  );
}
