import { Anchor, Card, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Countdown } from '../../components/countdown';
import { DataList, type Column } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { RelativeTime } from '../../components/relative-time';
import { RiskBadge } from '../../components/risk-badge';
import { graphql } from '../../gql/documents';
import type { InboxQuery, InboxRowFragment } from '../../gql/types';
import { useConnection } from '../../lib/use-connection';
import { useLive } from '../../lib/use-live';

graphql(`
  fragment InboxRow on Checkpoint {
    id
    description
    status
    riskLevel
    requestedAt
    deadline
    workflow {
      id
      name
    }
  }
`);

const INBOX = graphql(`
  query Inbox($after: String) {
    checkpoints(first: 50, after: $after, filter: { mine: true }, orderBy: { field: AGE, direction: ASC }) {
      nodes {
        ...InboxRow
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
  subscription InboxChanges($after: String) {
    checkpointEvents(after: $after, filter: { mine: true }, pending: false) {
      cursor
      checkpoint {
        ...InboxRow
      }
    }
  }
`);

const select = (data: InboxQuery) => data.checkpoints;

const COLUMNS: Column<InboxRowFragment>[] = [
  { key: 'what', header: 'What it wants to do', width: 'minmax(0, 1fr)', cell: (row) => <What row={row} /> },
  { key: 'risk', header: 'Risk', width: '150px', cell: ({ riskLevel }) => <RiskBadge level={riskLevel} /> },
  { key: 'waits', header: 'Asked', width: '150px', cell: ({ requestedAt }) => <RelativeTime at={requestedAt} /> },
  { key: 'left', header: 'Time left', width: '140px', cell: ({ deadline }) => <Countdown until={deadline} /> },
];

export function InboxPage() {
  const list = useConnection(INBOX, {}, select);
  useLive(CHANGES, {}, { onEvent: () => void list.refresh(), onGap: () => void list.refresh() });
  return (
    <>
      <PageHeader title="Inbox">What waits for you, the oldest first.</PageHeader>
      <DataList
        list={list}
        label="Checkpoints that wait for you"
        columns={COLUMNS}
        card={(row) => <RowCard row={row} />}
        empty={
          <EmptyState title="Nothing waits for you">
            When an agent wants to do something that needs your countersign, it appears here by itself.
          </EmptyState>
        }
      />
    </>
  );
}

function What({ row }: { row: InboxRowFragment }) {
  return (
    <>
      <Anchor component={Link} to={`/checkpoints/${row.id}`} size="sm" fw={600} c="var(--mantine-color-text)">
        {row.description}
      </Anchor>
      <Text size="xs" c="dimmed">
        {row.workflow?.name ?? 'From outside of a workflow'}
      </Text>
    </>
  );
}

function RowCard({ row }: { row: InboxRowFragment }) {
  return (
    <Card>
      <Stack gap="xs">
        <What row={row} />
        <Group justify="space-between" gap="xs">
          <RiskBadge level={row.riskLevel} />
          <Text size="xs" c="dimmed" component="div">
            <RelativeTime at={row.requestedAt} />
          </Text>
        </Group>
      </Stack>
    </Card>
  );
}
