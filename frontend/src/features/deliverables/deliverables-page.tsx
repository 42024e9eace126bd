import { Anchor, Card, Group, Text } from '@mantine/core';
import { IconFileCertificate } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DataList, type Column } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { RelativeTime } from '../../components/relative-time';
import { StatusBadge } from '../../components/status-badge';
import { graphql } from '../../gql/documents';
import type { DeliverableRowFragment, DeliverablesQuery } from '../../gql/types';
import { words } from '../../lib/format';
import { useConnection } from '../../lib/use-connection';
import { useLive } from '../../lib/use-live';

graphql(`
  fragment DeliverableRow on Deliverable {
    id
    name
    type
    status
    updatedAt
  }
`);

const DELIVERABLES = graphql(`
  query Deliverables($after: String) {
    deliverables(first: 50, after: $after, orderBy: { field: AGE, direction: DESC }) {
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

const COLUMNS: Column<DeliverableRowFragment>[] = [
  { key: 'name', header: 'Deliverable', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
  { key: 'type', header: 'Type', width: '130px', cell: ({ type }) => words(type) },
  { key: 'status', header: 'Status', width: '140px', cell: ({ status }) => <StatusBadge of="deliverable" status={status} /> },
  { key: 'changed', header: 'Changed', width: '150px', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
];

export function DeliverablesPage() {
  const list = useConnection(DELIVERABLES, {}, select);
  useLive(CHANGES, {}, {
    onEvent: ({ deliverableEvents: event }) => {
      if (event.__typename === 'DeliverableCreated') void list.refresh();
    },
    onGap: () => void list.refresh(),
  });
  return (
    <>
      <PageHeader title="Deliverables">What executions have made: documents, code, data and media.</PageHeader>
      <DataList
        list={list}
        label="Deliverables"
        columns={COLUMNS}
        card={(row) => (
          <Card>
            <Group justify="space-between">
              <Name row={row} />
              <StatusBadge of="deliverable" status={row.status} />
            </Group>
            <Text size="xs" c="dimmed" component="div">
              {words(row.type)} · <RelativeTime at={row.updatedAt} />
            </Text>
          </Card>
        )}
        empty={
          <EmptyState title="No deliverable yet" icon={IconFileCertificate} action={{ label: 'Choose a workflow', to: '/workflows' }}>
            Results that agents hand over are collected here, with all their versions.
          </EmptyState>
        }
      />
    </>
  );
}

function Name({ row }: { row: DeliverableRowFragment }) {
  return (
    <Anchor component={Link} to={`/deliverables/${row.id}`} size="sm" fw={600} c="var(--mantine-color-text)">
      {row.name}
    </Anchor>
  );
}
