import type { TimeBucket } from '../../../gql/enums';
import type { AnalyticsQuery } from '../../../gql/types';
import { bucketLabel } from './buckets';

type Figures = AnalyticsQuery['analytics'];

/** A row of a chart and of the table below it: a label, and numbers by name. */
export type ChartRow = { label: string } & Record<string, number | string>;

interface Axis {
  bucket: TimeBucket;
  timeZone: string;
}

export function decisionRows(series: Figures['checkpoints']['series'], { bucket, timeZone }: Axis): ChartRow[] {
  return series.map(({ from, outcomes }) => ({
    label: bucketLabel(from, bucket, timeZone),
    'Approved by a rule': outcomes.autoApproved,
    // What was modified was approved as well; in a pile each is counted once.
    Approved: outcomes.approved - outcomes.modified,
    Modified: outcomes.modified,
    Rejected: outcomes.rejected,
    'Timed out': outcomes.timedOut,
  }));
}

export const OUTCOME_GROUPS = {
  Completed: ['SUCCESS', 'PARTIAL'],
  Failed: ['FAILED'],
  Rejected: ['REJECTED', 'APPROVAL_TIMEOUT'],
  'Limit reached': ['MAX_COST', 'MAX_DURATION', 'MAX_ITERATIONS'],
  Cancelled: ['CANCELLED'],
} as const;

export function executionRows(series: Figures['executions']['series'], { bucket, timeZone }: Axis): ChartRow[] {
  return series.map(({ from, byOutcome }) => {
    const sum = (reasons: readonly string[]) =>
      byOutcome.filter(({ reason }) => reasons.includes(reason)).reduce((total, { count }) => total + count, 0);
    const counts = Object.entries(OUTCOME_GROUPS).map(([name, reasons]) => [name, sum(reasons)] as const);
    return { label: bucketLabel(from, bucket, timeZone), ...Object.fromEntries(counts) };
  });
}

export function usageRows(series: Figures['usage']['series'], { bucket, timeZone }: Axis): ChartRow[] {
  return series.map(({ from, usage }) => ({
    label: bucketLabel(from, bucket, timeZone),
    Cost: usage.costMicros / 1_000_000,
    Tokens: usage.tokens,
    Calls: usage.llmCalls,
  }));
}

interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** The percentiles of each line, for those that have any. */
export function percentileRows(lines: readonly { name: string; figures: Percentiles }[]): ChartRow[] {
  return lines
    .filter(({ figures }) => figures.p50 !== null)
    .map(({ name, figures }) => ({ label: name, P50: figures.p50 ?? 0, P95: figures.p95 ?? 0, P99: figures.p99 ?? 0 }));
}

/** Whether a chart has anything to show. */
export function isEmpty(rows: readonly ChartRow[]): boolean {
  return rows.every((row) => Object.values(row).every((value) => typeof value === 'string' || value === 0));
}
