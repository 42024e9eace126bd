import type { AgentKind } from '../../../gql/enums';
import { known } from '../../../lib/use-url-filters';

export interface AgentFilters {
  search: string;
  kind: AgentKind | null;
  archived: boolean;
  /** Which agent is open beside the list; `new` for one that is being made. */
  agent: string | null;
}

const KINDS: readonly AgentKind[] = ['HTTP', 'TRANSFORM', 'WORKER'];

export function parseAgentFilters(params: URLSearchParams): AgentFilters {
  return {
    search: params.get('search')?.trim() ?? '',
    kind: known(params, 'kind', KINDS)[0] ?? null,
    archived: params.get('show') === 'archived',
    agent: params.get('agent'),
  };
}

export function toAgentFilter({ search, kind, archived }: AgentFilters) {
  return { archived, ...(kind === null ? {} : { kind }), ...(search === '' ? {} : { search }) };
}
