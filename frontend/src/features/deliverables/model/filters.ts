import type { DeliverableStatus, DeliverableType } from '../../../gql/enums';
import { rangeOf } from '../../../lib/time-range';
import { known } from '../../../lib/use-url-filters';

export const TYPES = ['DOCUMENT', 'CODE', 'DATA', 'MEDIA', 'OTHER'] as const satisfies readonly DeliverableType[];

/** What people look for: what is there to use, unless they say otherwise. Put away is a place of its own. */
export const SHELVES = {
  CURRENT: { label: 'Current', statuses: ['DRAFT', 'FINAL'] },
  DRAFT: { label: 'Drafts', statuses: ['DRAFT'] },
  FINAL: { label: 'Final', statuses: ['FINAL'] },
  ARCHIVED: { label: 'Archived', statuses: ['ARCHIVED'] },
} as const satisfies Record<string, { label: string; statuses: readonly DeliverableStatus[] }>;

export type Shelf = keyof typeof SHELVES;

export interface Filters {
  shelf: Shelf;
  types: DeliverableType[];
  search: string;
  agentId: string | null;
  executionId: string | null;
  from: string | null;
  until: string | null;
}

export function parseFilters(params: URLSearchParams, now = Date.now()): Filters {
  const shelf = params.get('status');
  return {
    shelf: shelf !== null && Object.hasOwn(SHELVES, shelf) ? (shelf as Shelf) : 'CURRENT',
    types: known(params, 'type', TYPES),
    search: params.get('q') ?? '',
    agentId: params.get('agent'),
    executionId: params.get('execution'),
    ...rangeOf(params, now),
  };
}

/** The API's filter. What narrows nothing down is left out. */
export function filterOf({ shelf, types, search, agentId, executionId, from, until }: Filters) {
  return {
    status: [...SHELVES[shelf].statuses],
    ...(types.length > 0 ? { type: types } : {}),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(agentId === null ? {} : { agentId }),
    ...(executionId === null ? {} : { executionId }),
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
  };
}

/** How many there are on each shelf. */
export function shelfCounts(byStatus: readonly { status: DeliverableStatus; count: number }[]): Record<Shelf, number> {
  const count = (status: DeliverableStatus) => byStatus.find((one) => one.status === status)?.count ?? 0;
  return { CURRENT: count('DRAFT') + count('FINAL'), DRAFT: count('DRAFT'), FINAL: count('FINAL'), ARCHIVED: count('ARCHIVED') };
}
