import { duration } from '../lib/format';
import { useNow } from '../lib/use-now';

/** A length of time in seconds; null shows a dash. */
export function Duration({ seconds }: { seconds: number | null }) {
  if (seconds === null) return <span aria-label="unknown">–</span>;
  return <span>{duration(seconds)}</span>;
}

/** How long something has been going on, counting. */
export function Elapsed({ since }: { since: string }) {
  const now = useNow('second');
  return <span>{duration(Math.max(Math.floor((now - Date.parse(since)) / 1000), 0))}</span>;
}
