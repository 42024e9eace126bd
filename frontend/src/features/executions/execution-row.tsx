import { Box, Card, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../components/data-list';
import { Duration, Elapsed } from '../../components/duration';
import { Money } from '../../components/money';
import { RelativeTime } from '../../components/relative-time';
import { StatusBadge } from '../../components/status-badge';
import { StepProgress } from '../../components/step-progress';
import { Tag } from '../../components/tag';
import { graphql } from '../../gql/documents';
import type { ExecutionRowFragment } from '../../gql/types';
import { shortId } from '../../lib/format';
import { Plain } from '../../lib/plain';
import classes from './executions.module.css';

graphql(`
  fragment ExecutionRow on Execution {
    id
    status
    completionReason
    isTest
    correlationId
    originKind
    createdAt
    startedAt
    finishedAt
    durationSeconds
    pendingCheckpoints
    progress {
      done
      total
      percent
    }
    usage {
      costMicros
    }
    workflow {
      id
      name
    }
  }
`);

/* Rows come and go by the dozen while one scrolls: they are made of plain elements. */
export const COLUMNS: Column<ExecutionRowFragment>[] = [
  { key: 'workflow', header: 'Execution', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
  { key: 'status', header: 'Status', width: '170px', cell: ({ status }) => <StatusBadge of="execution" status={status} /> },
  { key: 'progress', header: 'Progress', width: '170px', cell: (row) => <StepProgress {...row} /> },
  { key: 'time', header: 'Took', width: '110px', align: 'end', cell: (row) => <Took row={row} /> },
  { key: 'cost', header: 'Cost', width: '110px', align: 'end', cell: ({ usage }) => <Money micros={usage.costMicros} /> },
  { key: 'created', header: 'Created', width: '150px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

const ORIGINS = { RETRY: 'Retry', RESUME: 'Resumed', FORK: 'Fork' };

function Name({ row }: { row: ExecutionRowFragment }) {
  return (
    <>
      <div className={classes.name}>
        <Link to={`/executions/${row.id}`}><Plain>{row.workflow.name}</Plain></Link>
        {row.isTest && <Tag color="blue" small>Test</Tag>}
        {row.originKind && <Tag color="gray" small>{ORIGINS[row.originKind]}</Tag>}
      </div>
      <div className={classes.reference}>{row.correlationId ?? shortId(row.id)}</div>
    </>
  );
}

function Took({ row: { startedAt, finishedAt, durationSeconds } }: { row: ExecutionRowFragment }) {
  if (startedAt && !finishedAt) return <Elapsed since={startedAt} />;
  return <Duration seconds={durationSeconds ?? null} />;
}

export function ExecutionCard({ row }: { row: ExecutionRowFragment }) {
  return (
    <Card>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Name row={row} />
          </div>
          <Box flex="none">
            <StatusBadge of="execution" status={row.status} />
          </Box>
        </Group>
        <StepProgress {...row} />
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" component="div">
            <RelativeTime at={row.createdAt} />
          </Text>
          <Text size="xs" c="dimmed" component="div">
            <Took row={row} /> · <Money micros={row.usage.costMicros} />
          </Text>
        </Group>
      </Stack>
    </Card>
  );
}
