import { duration, exactTime } from '../../lib/format';
import { useNow } from '../../lib/use-now';

/** How long it has waited, in words that fit a column; the exact time when one points at it. */
export function Waited({ since }: { since: string }) {
  const now = useNow();
  const at = Date.parse(since);
  const seconds = Math.max((now - at) / 1000, 0);
  return (
    <time dateTime={since} title={`Asked ${exactTime(at)}`}>
      {seconds < 60 ? 'under a minute' : duration(Math.floor(seconds / 60) * 60)}
    </time>
  );
}
