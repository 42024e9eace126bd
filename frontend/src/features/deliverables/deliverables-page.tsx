import { useMemo } from 'react';
import { useQuery } from 'urql';
import { DataList } from '../../components/data-list';
import { PageHeader } from '../../components/page-header';
import { graphql } from '../../gql/documents';
import type { DeliverablesQuery } from '../../gql/types';
import { useConnection } from '../../lib/use-connection';
import { useLive } from '../../lib/use-live';
import { useRefresh } from '../../lib/use-refresh';
import { useUrlFilters } from '../../lib/use-url-filters';
import { COLUMNS, DeliverableCard } from './deliverable-row';
import { EmptyList } from './empty-list';
import { ExecutionHeading } from './execution-heading';
import { FilterBar } from './filter-bar';
import { filterOf, parseFilters } from './model/filters';
import { groupByExecution } from './model/group';

const DELIVERABLES = graphql(`
  query Deliverables($after: String, $filter: DeliverableFilter) {
    deliverables(first: 50, after: $after, filter: $filter, orderBy: { field: AGE, direction: DESC }) {
      nodes {
        ...DeliverableRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const COUNTS = graphql(`
  query DeliverableCounts($filter: DeliverableFilter) {
    deliverableCounts(filter: $filter) {
      byStatus {
        status
        count
      }
      byType {
        type
        count
      }
    }
  }
`);

const CHANGES = graphql(`
  subscription DeliverablesChanges($after: String) {
    deliverableEvents(after: $after) {
      __typename
      cursor
      deliverable {
        ...DeliverableRow
      }
    }
  }
`);

const select = (data: DeliverablesQuery) => data.deliverables;

export function DeliverablesPage() {
  const { filters, set, clear, active } = useUrlFilters(parseFilters);
  const filter = filterOf(filters);
  const { status: _status, type: _type, ...rest } = filter;
  const list = useConnection(DELIVERABLES, { filter }, select);
  // Counted without what the counts are there to choose from.
  const [{ data }, count] = useQuery({ query: COUNTS, variables: { filter: rest } });
  const recount = useRefresh(count, 300);
  const refresh = () => {
    recount();
    void list.refresh();
  };
  useLive(CHANGES, {}, {
    // A new version changes its row by itself; everything else may put rows in or take them out.
    onEvent: ({ deliverableEvents: event }) => event.__typename !== 'DeliverableUpdated' && refresh(),
    onGap: refresh,
  });
  // Headings are rows as well, so a place in what is shown is no place in the pages, and all of these stay live.
  const { watch: _watch, ...pages } = list;
  const lines = useMemo(() => groupByExecution(list.rows), [list.rows]);

  return (
    <>
      <PageHeader title="Deliverables">What executions have made: documents, code, data and media.</PageHeader>
      <FilterBar filters={filters} counts={data?.deliverableCounts ?? null} onChange={set} />
      <DataList
        list={{ ...pages, rows: lines }}
        label="Deliverables"
        columns={COLUMNS}
        heading={(line) => (line.kind === 'execution' ? <ExecutionHeading execution={line.execution} /> : null)}
        card={(line) => (line.kind === 'row' ? <DeliverableCard row={line.row} /> : null)}
        empty={<EmptyList filtered={active} onClear={clear} />}
      />
    </>
  );
}

