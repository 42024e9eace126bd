import { Button, Group, Select } from '@mantine/core';
import { IconFilterOff, IconPlus, IconRobot } from '@tabler/icons-react';
import { useMemo } from 'react';
import { DataList } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { SearchField } from '../../components/search-field';
import { graphql } from '../../gql/documents';
import type { AgentsQuery } from '../../gql/types';
import { useConnection } from '../../lib/use-connection';
import { useLibraryChanges } from '../../lib/use-library-changes';
import { useUrlFilters } from '../../lib/use-url-filters';
import { useViewer } from '../../lib/use-viewer';
import { AgentDrawer } from './agent-drawer';
import { AgentCard, columns } from './agent-row';
import { parseAgentFilters, toAgentFilter } from './model/filters';
import { KIND_DATA } from './model/kinds';

const AGENTS = graphql(`
  query Agents($after: String, $filter: AgentFilter) {
    agents(first: 100, after: $after, filter: $filter, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        ...AgentRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const select = (data: AgentsQuery) => data.agents;

export function AgentsPage() {
  const { can } = useViewer();
  const { filters, set, clear } = useUrlFilters(parseAgentFilters);
  const filter = useMemo(() => toAgentFilter(filters), [filters]);
  const list = useConnection(AGENTS, { filter }, select);
  useLibraryChanges('agent', () => void list.refresh());
  const open = (agent: string) => set({ agent });
  const table = useMemo(() => columns((agent) => set({ agent })), [set]);
  return (
    <>
      <PageHeader
        title="Agents"
        actions={
          can('AUTHOR') && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => open('new')}>
              New agent
            </Button>
          )
        }
      >
        The workers that the steps of workflows name.
      </PageHeader>
      <Group gap="xs" mb="md" role="search" aria-label="Filter the agents">
        <SearchField label="Search by name" value={filters.search} onChange={(search) => set({ search })} />
        <Select aria-label="Kind" placeholder="Any kind" data={KIND_DATA} value={filters.kind} onChange={(kind) => set({ kind })} clearable flex="1 1 130px" maw={{ sm: 160 }} />
        <Select aria-label="Which" placeholder="In use" data={[{ value: 'archived', label: 'Archived' }]} value={filters.archived ? 'archived' : null} onChange={(show) => set({ show })} clearable flex="1 1 130px" maw={{ sm: 140 }} />
      </Group>
      <DataList
        list={list}
        label="Agents"
        columns={table}
        card={(row) => <AgentCard row={row} onOpen={open} />}
        empty={
          filters.search || filters.kind || filters.archived ? (
            <EmptyState title="Nothing fits these filters" icon={IconFilterOff} action={{ label: 'Clear filters', onClick: clear }}>
              Try another name, or look at all agents that are in use.
            </EmptyState>
          ) : (
            <EmptyState title="No agent yet" icon={IconRobot} {...(can('AUTHOR') ? { action: { label: 'Add the first one', onClick: () => open('new') } } : {})}>
              {can('AUTHOR') ? 'An agent calls a URL, hands work to a program of yours, or computes something.' : 'Ask an author of your workspace to add one.'}
            </EmptyState>
          )
        }
      />
      <AgentDrawer id={filters.agent} onOpen={open} onClose={() => set({ agent: null })} onChanged={() => void list.refresh()} />
    </>
  );
}
