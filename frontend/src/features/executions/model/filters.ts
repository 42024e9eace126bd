import type { ExecutionMode, ExecutionStatus } from '../../../gql/enums';
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

/** How far back, in hours. */
export const SPANS = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;
export type Span = keyof typeof SPANS;

/** What the address says about which executions are shown. */
export interface Filters {
  status: ExecutionStatus[];
  workflow: string | null;
  mode: ExecutionMode | null;
  since: Span | null;
  /** What the caller of an execution said that it belongs to, exactly. */
  reference: string;
}

export function parseFilters(params: URLSearchParams): Filters {
  return {
    status: known(params, 'status', STATUSES),
    workflow: params.get('workflow'),
    mode: known(params, 'mode', MODES)[0] ?? null,
    since: known(params, 'since', Object.keys(SPANS) as Span[])[0] ?? null,
    reference: params.get('reference')?.trim() ?? '',
  };
}

interface ApiFilter {
  status?: ExecutionStatus[];
  workflowId?: string;
  mode?: ExecutionMode;
  from?: string;
  correlationId?: string;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The same for the API. `from` is a whole minute, so that a list is not another one with every second that passes. */
export function toApi({ status, workflow, mode, since, reference }: Filters, now: number): ApiFilter {
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(workflow === null ? {} : { workflowId: workflow }),
    ...(mode === null ? {} : { mode }),
    ...(since === null ? {} : { from: new Date(Math.floor(now / MINUTE_MS) * MINUTE_MS - SPANS[since] * HOUR_MS).toISOString() }),
    ...(reference === '' ? {} : { correlationId: reference }),
  };
}

/** Whether a row that an event has changed still belongs into the list; the server filters only what it sends. */
export function stillFits({ status }: Filters, row: { readonly status: ExecutionStatus }): boolean {
  return status.length === 0 || status.includes(row.status);
}
