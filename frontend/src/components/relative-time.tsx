import { exactTime, relativeTime } from '../lib/format';
import { useNow } from '../lib/use-now';

/** "3 minutes ago", which goes on counting; the exact time in the reader's zone when one points at it. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow();
  const time = Date.parse(at);
  if (Number.isNaN(time)) return null;
  return (
    <time dateTime={at} title={exactTime(time)}>
      {relativeTime(time, now)}
    </time>
  );
}
