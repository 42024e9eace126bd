import type { ExecutionMode, ExecutionStatus } from '../../../gql/enums';
import { rangeOf, type TimeRange } from '../../../lib/time-range';
import { known } from '../../../lib/use-url-filters';

export const STATUSES: readonly ExecutionStatus[] = [
  'QUEUED',
  'RUNNING',
  'AWAITING_APPROVAL',
  'PAUSED',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
];

const MODES: readonly ExecutionMode[] = ['LIVE', 'TEST'];

/** What the address says about which executions are shown. */
export interface Filters {
  status: ExecutionStatus[];
  workflow: string | null;
  mode: ExecutionMode | null;
  /** The two ends of a range of time; null where it is open. */
  time: TimeRange;
  /** Only those that continue this execution. */
  origin: string | null;
  /** What the caller of an execution said that it belongs to, exactly. */
  reference: string;
}

export function parseFilters(params: URLSearchParams, now = Date.now()): Filters {
  return {
    status: known(params, 'status', STATUSES),
    workflow: params.get('workflow'),
    mode: known(params, 'mode', MODES)[0] ?? null,
    time: rangeOf(params, now),
    origin: params.get('origin'),
    reference: params.get('reference')?.trim() ?? '',
  };
}

interface ApiFilter {
  status?: ExecutionStatus[];
  workflowId?: string;
  mode?: ExecutionMode;
  from?: string;
  until?: string;
  correlationId?: string;
  originId?: string;
}

/** The same for the API. */
export function toApi({ status, workflow, mode, time, origin, reference }: Filters): ApiFilter {
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(workflow === null ? {} : { workflowId: workflow }),
    ...(mode === null ? {} : { mode }),
    ...(time.from === null ? {} : { from: time.from }),
    ...(time.until === null ? {} : { until: time.until }),
    ...(origin === null ? {} : { originId: origin }),
    ...(reference === '' ? {} : { correlationId: reference }),
  };
}

/** Whether a row that an event has changed still belongs into the list; the server filters only what it sends. */
export function stillFits({ status }: Filters, row: { readonly status: ExecutionStatus }): boolean {
  return status.length === 0 || status.includes(row.status);
}
