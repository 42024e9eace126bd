import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { PageSkeleton } from '../../components/page-skeleton';
import { graphql } from '../../gql/documents';
import { toApiError } from '../../lib/send-exchange';
import { useLibraryChanges } from '../../lib/use-library-changes';
import { useRefresh } from '../../lib/use-refresh';
import { useViewer } from '../../lib/use-viewer';
import { AgentArchive } from './agent-archive';
import { AgentFacts } from './agent-facts';
import { EditAgent } from './edit-agent';

graphql(`
  fragment AgentDetail on Agent {
    ...AgentRow
    createdAt
    config
    inputSchema
    outputSchema
  }
`);

const AGENT = graphql(`
  query AgentPage($id: ID!) {
    node(id: $id) {
      id
      ...AgentDetail
    }
  }
`);

export function AgentDetail({ id, onChanged }: { id: string; onChanged: () => void }) {
  const { can } = useViewer();
  const [editing, setEditing] = useState(false);
  const [{ data, error }, ask] = useQuery({ query: AGENT, variables: { id } });
  const refresh = useRefresh(ask, 150);
  useLibraryChanges('agent', refresh, id);
  const agent = data?.node && 'config' in data.node ? data.node : null;
  if (agent && editing) {
    const done = () => {
      setEditing(false);
      onChanged();
    };
    return <EditAgent agent={agent} onDone={done} onCancel={() => setEditing(false)} />;
  }
  if (agent) {
    return (
      <Stack gap="md">
        <AgentFacts agent={agent} />
        {can('AUTHOR') && (
          <Group gap="xs">
            {!agent.archivedAt && (
              <Button leftSection={<IconPencil size={16} />} onClick={() => setEditing(true)}>
                Edit
              </Button>
            )}
            <AgentArchive agent={agent} onChanged={onChanged} />
          </Group>
        )}
      </Stack>
    );
  }
  if (error) return <ErrorState error={toApiError(error)} onRetry={refresh} />;
  return data ? <Text size="sm">There is no such agent in this workspace.</Text> : <PageSkeleton />;
}
