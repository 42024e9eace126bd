import type { CheckpointKind, RiskLevel } from '../../../gql/enums';
import type { InboxQueryVariables } from '../../../gql/types';
import { known } from '../../../lib/use-url-filters';

export const SORTS = ['oldest', 'urgent', 'risk'] as const;
export const DUE = ['hour', 'day', 'week'] as const;
export const RISKS: readonly RiskLevel[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];
export const KINDS: readonly CheckpointKind[] = ['STEP', 'EXTERNAL', 'CLARIFICATION'];

export type Sort = (typeof SORTS)[number];
export type Due = (typeof DUE)[number];

export interface InboxFilters {
  sort: Sort;
  risk: readonly RiskLevel[];
  kind: CheckpointKind | null;
  due: Due | null;
  workflow: string | null;
  agent: string | null;
  /** Instead of what waits for me: what no one can approve any more, for admins. */
  stuck: boolean;
}

/** The filter that an address names; what it does not know is left out. */
export function parseFilters(params: URLSearchParams): InboxFilters {
  return {
    sort: known(params, 'sort', SORTS)[0] ?? 'oldest',
    risk: known(params, 'risk', RISKS),
    kind: known(params, 'kind', KINDS)[0] ?? null,
    due: known(params, 'due', DUE)[0] ?? null,
    workflow: params.get('workflow'),
    agent: params.get('agent'),
    stuck: params.has('stuck'),
  };
}

/** How many of them narrow the list; the order does not. */
export function activeFilters({ risk, kind, due, workflow, agent, stuck }: InboxFilters): number {
  return (risk.length > 0 ? 1 : 0) + (stuck ? 1 : 0) + [kind, due, workflow, agent].filter((value) => value !== null).length;
}

const MINUTE = 60_000;
const STEP = 5 * MINUTE;
const WITHIN: Record<Due, number> = { hour: 60 * MINUTE, day: 24 * 60 * MINUTE, week: 7 * 24 * 60 * MINUTE };

const ORDERS: Record<Sort, InboxQueryVariables['orderBy']> = {
  oldest: { field: 'AGE', direction: 'ASC' },
  urgent: { field: 'DEADLINE', direction: 'ASC' },
  risk: { field: 'RISK', direction: 'DESC' },
};

export function toVariables(filters: InboxFilters, now: number): Omit<InboxQueryVariables, 'after'> {
  const { sort, risk, kind, due, workflow, agent, stuck } = filters;
  return {
    orderBy: ORDERS[sort],
    filter: {
      ...(stuck ? { stuck: true } : { mine: true }),
      ...(risk.length > 0 ? { riskLevel: risk } : {}),
      ...(kind ? { kind: [kind] } : {}),
      ...(workflow ? { workflowId: workflow } : {}),
      ...(agent ? { agentId: agent } : {}),
      // In steps: the same filter a moment later is the same list.
      ...(due ? { dueBefore: new Date(Math.ceil((now + WITHIN[due]) / STEP) * STEP).toISOString() } : {}),
    },
  };
}
