import { useCallback, useMemo } from 'react';
import { useQuery } from 'urql';
import { DataList } from '../../components/data-list';
import { PageHeader } from '../../components/page-header';
import { graphql } from '../../gql/documents';
import type { DeliverableRowFragment, DeliverablesQuery } from '../../gql/types';
import { debounced } from '../../lib/debounced';
import { useConnection } from '../../lib/use-connection';
import { useLive } from '../../lib/use-live';
import { useRefresh } from '../../lib/use-refresh';
import { useUrlFilters } from '../../lib/use-url-filters';
import { COLUMNS, DeliverableCard } from './deliverable-row';
import { EmptyList } from './empty-list';
import { ExecutionHeading } from './execution-heading';
import { FilterBar } from './filter-bar';
import { filterOf, parseFilters } from './model/filters';
import { groupByExecution, placesOf, type Line } from './model/group';

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

/** A burst of new ones is one look. */
const BURST_MS = 300;

type ListLine = Line<DeliverableRowFragment>;
const heading = (line: ListLine) => (line.kind === 'execution' ? <ExecutionHeading execution={line.execution} /> : null);
const card = (line: ListLine) => (line.kind === 'row' ? <DeliverableCard row={line.row} /> : null);

export function DeliverablesPage() {
  const { filters, set, clear, active } = useUrlFilters(parseFilters);
  const filter = filterOf(filters);
  const { status: _status, type: _type, ...rest } = filter;
  const list = useConnection(DELIVERABLES, { filter }, select);
  // Counted without what the counts are there to choose from.
  const [{ data }, count] = useQuery({ query: COUNTS, variables: { filter: rest } });
  const recount = useRefresh(count, 300);
  const { refresh, refreshHead } = list;
  const look = useMemo(() => ({ atHead: debounced(() => void refreshHead(), BURST_MS), atAll: debounced(() => void refresh(), BURST_MS) }), [refresh, refreshHead]);
  useLive(CHANGES, {}, {
    onEvent({ deliverableEvents: event }) {
      // A new version changes its row by itself.
      if (event.__typename === 'DeliverableUpdated') return;
      recount();
      // A new one is the newest; everything else may put rows in or take them out anywhere.
      if (event.__typename === 'DeliverableCreated') look.atHead();
      else look.atAll();
    },
    onGap() {
      recount();
      look.atAll();
    },
  });
  const { rows, watchRows } = list;
  const lines = useMemo(() => groupByExecution(rows), [rows]);
  // Headings are lines as well, so a place in what is shown is no place in the pages.
  const watch = useCallback((first: number, last: number) => watchRows(placesOf(lines.slice(first, last + 1), rows)), [lines, rows, watchRows]);

  return (
    <>
      <PageHeader title="Deliverables">What executions have made: documents, code, data and media.</PageHeader>
      <FilterBar filters={filters} counts={data?.deliverableCounts ?? null} onChange={set} />
      <DataList
        list={{ ...list, rows: lines, watch }}
        label="Deliverables"
        columns={COLUMNS}
        heading={heading}
        card={card}
        empty={<EmptyList filtered={active} onClear={clear} />}
      />
    </>
  );
}

