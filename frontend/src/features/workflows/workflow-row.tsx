import { Anchor, Badge, Card, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../components/data-list';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import type { WorkflowRowFragment } from '../../gql/types';
import { Plain } from '../../lib/plain';

graphql(`
  fragment WorkflowRow on Workflow {
    id
    name
    description
    archivedAt
    updatedAt
    latestVersion {
      number
    }
    draft {
      updatedAt
    }
  }
`);

export const COLUMNS: Column<WorkflowRowFragment>[] = [
  { key: 'name', header: 'Workflow', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
  { key: 'state', header: 'State', width: '220px', cell: (row) => <State row={row} /> },
  { key: 'changed', header: 'Changed', width: '160px', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
];

function Name({ row }: { row: WorkflowRowFragment }) {
  return (
    <>
      <Anchor component={Link} to={`/workflows/${row.id}`} size="sm" fw={600} c="var(--mantine-color-text)">
        <Plain>{row.name}</Plain>
      </Anchor>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {row.description}
      </Text>
    </>
  );
}

function State({ row }: { row: WorkflowRowFragment }) {
  return (
    <Group gap={6}>
      {row.latestVersion && <Badge color="gray">Version {row.latestVersion.number}</Badge>}
      {row.draft && <Badge color="yellow">Draft</Badge>}
      {row.archivedAt && <Badge color="gray">Archived</Badge>}
    </Group>
  );
}

export function WorkflowCard({ row }: { row: WorkflowRowFragment }) {
  return (
    <Card>
      <Name row={row} />
      <Group justify="space-between" mt="xs">
        <State row={row} />
        <Text size="xs" c="dimmed" component="span">
          <RelativeTime at={row.updatedAt} />
        </Text>
      </Group>
    </Card>
  );
}
