import type { TimeBucket } from '../../../gql/enums';

export const BUCKETS = ['HOUR', 'DAY', 'WEEK', 'MONTH'] as const satisfies readonly TimeBucket[];

const HOURS: Record<TimeBucket, number> = { HOUR: 1, DAY: 24, WEEK: 7 * 24, MONTH: 30 * 24 };
/** A series of the server's has at most a thousand; more bars than this nobody can tell apart. */
const MOST = 400;

/** How long the bars of a range can be. */
export function bucketsFor(hours: number): TimeBucket[] {
  return BUCKETS.filter((bucket) => hours / HOURS[bucket] <= MOST && (bucket === 'HOUR' || hours / HOURS[bucket] > 1));
}

/** What was chosen if the range allows it, otherwise what suits it: some thirty bars. */
export function bucketFor(hours: number, chosen: string | null): TimeBucket {
  const possible = bucketsFor(hours);
  const wanted = possible.find((bucket) => bucket === chosen);
  if (wanted) return wanted;
  return possible.find((bucket) => hours / HOURS[bucket] <= 100) ?? possible.at(-1) ?? 'DAY';
}

const FORMATS: Record<TimeBucket, Intl.DateTimeFormatOptions> = {
  HOUR: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  DAY: { day: 'numeric', month: 'short' },
  WEEK: { day: 'numeric', month: 'short' },
  MONTH: { month: 'short', year: 'numeric' },
};

/** When a bucket begins, by the clock on the reader's wall. */
export function bucketLabel(from: string, bucket: TimeBucket, timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, { ...FORMATS[bucket], timeZone }).format(Date.parse(from));
}
