import { Anchor, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DataList, type Column } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { RelativeTime } from '../../components/relative-time';
import { StatusBadge } from '../../components/status-badge';
import { graphql } from '../../gql/documents';
import type { ExecutionRowFragment, ExecutionsQuery } from '../../gql/types';
import { useConnection } from '../../lib/use-connection';
import { useLive } from '../../lib/use-live';

graphql(`
  fragment ExecutionRow on Execution {
    id
    status
    createdAt
    progress {
      done
      total
      percent
    }
    workflow {
      id
      name
    }
  }
`);

const EXECUTIONS = graphql(`
  query Executions($after: String) {
    executions(first: 50, after: $after, orderBy: { direction: DESC }) {
      nodes {
        ...ExecutionRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

/** Logs and progress within a step come by the thousand and change nothing in this list. */
const CHANGES = graphql(`
  subscription ExecutionsChanges($after: String) {
    workspaceEvents(
      after: $after
      filter: {
        types: [
          EXECUTION_QUEUED
          EXECUTION_STARTED
          EXECUTION_PAUSED
          EXECUTION_RESUMED
          EXECUTION_COMPLETED
          EXECUTION_FAILED
          EXECUTION_CANCELLED
          STEP_COMPLETED
          STEP_SKIPPED
          CHECKPOINT_REQUESTED
          CHECKPOINT_APPROVED
          CHECKPOINT_REJECTED
        ]
      }
    ) {
      __typename
      cursor
      execution {
        ...ExecutionRow
      }
    }
  }
`);

const select = (data: ExecutionsQuery) => data.executions;

const COLUMNS: Column<ExecutionRowFragment>[] = [
  { key: 'workflow', header: 'Workflow', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
  { key: 'status', header: 'Status', width: '180px', cell: ({ status }) => <StatusBadge of="execution" status={status} /> },
  { key: 'progress', header: 'Progress', width: '200px', cell: (row) => <Steps row={row} /> },
  { key: 'started', header: 'Created', width: '150px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

export function ExecutionsPage() {
  const list = useConnection(EXECUTIONS, {}, select);
  useLive(CHANGES, {}, {
    onEvent: ({ workspaceEvents: event }) => {
      if (event.__typename === 'ExecutionQueued') void list.refresh();
    },
    onGap: () => void list.refresh(),
  });
  return (
    <>
      <PageHeader title="Executions">Everything that runs and has run, the newest first.</PageHeader>
      <DataList
        list={list}
        label="Executions"
        columns={COLUMNS}
        card={(row) => <RowCard row={row} />}
        empty={
          <EmptyState title="Nothing has run yet" icon={IconPlayerPlay} action={{ label: 'Choose a workflow', to: '/workflows' }}>
            Start a workflow, and watch it here step by step.
          </EmptyState>
        }
      />
    </>
  );
}

function Name({ row }: { row: ExecutionRowFragment }) {
  return (
    <Anchor component={Link} to={`/executions/${row.id}`} size="sm" fw={600} c="var(--mantine-color-text)">
      {row.workflow.name}
    </Anchor>
  );
}

function Steps({ row: { progress } }: { row: ExecutionRowFragment }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={progress.percent} flex={1} size="sm" aria-label="Progress" />
      <Text size="xs" c="dimmed">
        {progress.done}/{progress.total}
      </Text>
    </Group>
  );
}

function RowCard({ row }: { row: ExecutionRowFragment }) {
  return (
    <Card>
      <Stack gap="xs">
        <Group justify="space-between">
          <Name row={row} />
          <StatusBadge of="execution" status={row.status} />
        </Group>
        <Steps row={row} />
        <Text size="xs" c="dimmed" component="div">
          <RelativeTime at={row.createdAt} />
        </Text>
      </Stack>
    </Card>
  );
}
