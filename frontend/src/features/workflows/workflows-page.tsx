import { Button, Group, Select } from '@mantine/core';
import { IconFilterOff, IconPlus, IconSitemap } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { DataList } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { SearchField } from '../../components/search-field';
import { graphql } from '../../gql/documents';
import type { WorkflowsQuery } from '../../gql/types';
import { useConnection } from '../../lib/use-connection';
import { useLibraryChanges } from '../../lib/use-library-changes';
import { known, useUrlFilters } from '../../lib/use-url-filters';
import { useViewer } from '../../lib/use-viewer';
import { COLUMNS, WorkflowCard } from './workflow-row';

const WORKFLOWS = graphql(`
  query Workflows($after: String, $filter: WorkflowFilter) {
    workflows(first: 100, after: $after, filter: $filter, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        ...WorkflowRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const select = (data: WorkflowsQuery) => data.workflows;
const SHOWN = ['drafts', 'archived'] as const;
const SHOWN_DATA = [
  { value: 'drafts', label: 'With a draft' },
  { value: 'archived', label: 'Archived' },
];
const parse = (params: URLSearchParams) => ({ search: params.get('search') ?? '', show: known(params, 'show', SHOWN)[0] ?? null });

export function WorkflowsPage() {
  const { can } = useViewer();
  const { filters, set, clear, active } = useUrlFilters(parse);
  const filter = useMemo(
    () => ({
      archived: filters.show === 'archived',
      ...(filters.show === 'drafts' ? { hasDraft: true } : {}),
      ...(filters.search === '' ? {} : { search: filters.search }),
    }),
    [filters],
  );
  const list = useConnection(WORKFLOWS, { filter }, select);
  useLibraryChanges('workflow', () => void list.refresh());
  return (
    <>
      <PageHeader
        title="Workflows"
        actions={
          can('AUTHOR') && (
            <Button component={Link} to="/workflows/new" leftSection={<IconPlus size={16} />}>
              New workflow
            </Button>
          )
        }
      >
        What agents do, in which order, and where people are asked.
      </PageHeader>
      <Group gap="xs" mb="md" role="search" aria-label="Filter the workflows">
        <SearchField label="Search by name" value={filters.search} onChange={(search) => set({ search })} />
        <Select aria-label="Which" placeholder="In use" data={SHOWN_DATA} value={filters.show} onChange={(show) => set({ show })} clearable flex="1 1 130px" maw={{ sm: 170 }} />
      </Group>
      <DataList
        list={list}
        label="Workflows"
        columns={COLUMNS}
        card={(row) => <WorkflowCard row={row} />}
        empty={
          active ? (
            <EmptyState title="Nothing fits these filters" icon={IconFilterOff} action={{ label: 'Clear filters', onClick: clear }}>
              Try another name, or look at all workflows that are in use.
            </EmptyState>
          ) : (
            <EmptyState title="No workflow yet" icon={IconSitemap} {...(can('AUTHOR') ? { action: { label: 'Write the first one', to: '/workflows/new' } } : {})}>
              {can('AUTHOR') ? 'A workflow is a graph of steps; each step is the work of an agent.' : 'Ask an author of your workspace to write one.'}
            </EmptyState>
          )
        }
      />
    </>
  );
}
