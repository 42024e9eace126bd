import type { TimeBucket } from '../../../gql/enums';
import { rangeOf } from '../../../lib/time-range';
import { bucketFor } from './buckets';

export const BREAKDOWNS = ['workflow', 'rule', 'person', 'group'] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

export interface Filters {
  from: string | null;
  until: string | null;
  /** How long the range is. */
  hours: number;
  bucket: TimeBucket;
  timeZone: string;
  workflowId: string | null;
  agentId: string | null;
  by: Breakdown;
}

export const DEFAULT_RANGE = '30d';

export function parseFilters(params: URLSearchParams, now = Date.now()): Filters {
  const range = rangeOf(params, now, DEFAULT_RANGE);
  const end = range.until === null ? now : Date.parse(range.until);
  const hours = Math.max((end - (range.from === null ? end - 30 * 24 * 3_600_000 : Date.parse(range.from))) / 3_600_000, 1);
  return {
    ...range,
    hours,
    bucket: bucketFor(hours, params.get('bucket')),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    workflowId: params.get('workflow'),
    agentId: params.get('agent'),
    by: BREAKDOWNS.find((one) => one === params.get('by')) ?? 'workflow',
  };
}
