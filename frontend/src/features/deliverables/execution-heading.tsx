import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { RelativeTime } from '../../components/relative-time';
import { StatusBadge } from '../../components/status-badge';
import { ZipButton } from '../../components/zip-button';
import { graphql } from '../../gql/documents';
import type { DeliverableExecutionFragment } from '../../gql/types';
import { Plain } from '../../lib/plain';

graphql(`
  fragment DeliverableExecution on Execution {
    id
    status
    createdAt
    workflow {
      id
      name
    }
  }
`);

/** The execution that the rows below come from. */
export function ExecutionHeading({ execution }: { execution: DeliverableExecutionFragment }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Group gap="xs" miw={0}>
        <Anchor component={Link} to={`/executions/${execution.id}`} size="sm" fw={650} style={{ overflowWrap: 'anywhere' }}>
          <Plain>{execution.workflow.name}</Plain>
        </Anchor>
        <StatusBadge of="execution" status={execution.status} />
        <Text size="xs" c="dimmed" component="span">
          <RelativeTime at={execution.createdAt} />
        </Text>
      </Group>
      <ZipButton executionId={execution.id} label="ZIP" size="compact-sm" variant="subtle" style={{ flex: 'none' }} />
    </Group>
  );
}
