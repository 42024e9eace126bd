import { duration, exactTime } from '../lib/format';
import { useNow } from '../lib/use-now';
import classes from './countdown.module.css';

interface Props {
  /** The deadline; null for what may wait for ever. */
  until: string | null;
  /** From how many seconds on it looks urgent. */
  urgentBelow?: number;
}

/** The time that is left. It turns red in the last quarter of an hour and says so in words when it is over. */
export function Countdown({ until, urgentBelow = 15 * 60 }: Props) {
  const now = useNow('second');
  if (until === null) return <span className={classes.none}>No deadline</span>;
  const deadline = Date.parse(until);
  const left = Math.floor((deadline - now) / 1000);
  const urgent = left < urgentBelow;
  return (
    <time dateTime={until} title={exactTime(deadline)} className={urgent ? classes.urgent : undefined}>
      {left > 0 ? `${duration(left)} left` : 'Overdue'}
    </time>
  );
}
