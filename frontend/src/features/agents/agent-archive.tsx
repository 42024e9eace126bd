import { Button } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button';
import { graphql } from '../../gql/documents';
import type { AgentDetailFragment } from '../../gql/types';
import { useCommand } from '../../lib/use-command';

const ARCHIVE = graphql(`
  mutation ArchiveAgent($input: ArchiveAgentInput!) {
    archiveAgent(input: $input) {
      agent {
        ...AgentRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const RESTORE = graphql(`
  mutation UnarchiveAgent($input: UnarchiveAgentInput!) {
    unarchiveAgent(input: $input) {
      agent {
        ...AgentRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Takes an agent out of use, or brings it back. */
export function AgentArchive({ agent, onChanged }: { agent: AgentDetailFragment; onChanged: () => void }) {
  const archive = useCommand(ARCHIVE, { success: 'The agent is archived.' });
  const restore = useCommand(RESTORE, { success: 'The agent is back.' });
  const input = { agentId: agent.id };
  const told = (payload: unknown) => {
    if (payload !== null) onChanged();
    return payload !== null;
  };
  if (agent.archivedAt) {
    return (
      <Button loading={restore.pending} onClick={() => void restore.run({ input }).then(told)}>
        Bring back
      </Button>
    );
  }
  return (
    <ConfirmButton
      variant="subtle"
      color="gray"
      title="Archive this agent?"
      explanation="Workflows that name it cannot be saved or started until it is brought back. What runs already goes on."
      confirmLabel="Archive"
      onConfirm={async () => told(await archive.run({ input }))}
    >
      Archive
    </ConfirmButton>
  );
}
