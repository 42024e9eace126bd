import { Alert, Text } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useState } from 'react';
import { showWaitsForReview } from '../../components/waits-for-review';
import { graphql } from '../../gql/documents';
import type { AgentDetailFragment } from '../../gql/types';
import { showSuccess } from '../../lib/notify';
import { useCommand } from '../../lib/use-command';
import { AgentForm, type AgentValues } from './agent-form';

const UPDATE = graphql(`
  mutation UpdateAgent($input: UpdateAgentInput!) {
    updateAgent(input: $input) {
      agent {
        ...AgentDetail
      }
      review {
        id
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Makes the next version of an agent. */
export function EditAgent({ agent, onDone, onCancel }: { agent: AgentDetailFragment; onDone: () => void; onCancel: () => void }) {
  const update = useCommand(UPDATE, { quiet: true });
  // Whoever comes second is told so, and does not overwrite: this is the version that the form began with.
  const [base] = useState(agent.version);
  const [values, setValues] = useState<AgentValues>(() => ({
    description: agent.description,
    operationType: agent.operationType ?? null,
    riskLevel: agent.riskLevel,
    config: agent.config,
    inputSchema: agent.inputSchema ?? null,
    outputSchema: agent.outputSchema ?? null,
  }));

  async function save() {
    const payload = await update.run({ input: { agentId: agent.id, baseVersion: base, ...values } });
    if (payload?.review) {
      showWaitsForReview(payload.review);
      onDone();
      return;
    }
    if (!payload?.agent) return;
    showSuccess(payload.agent.version === base ? 'Nothing differs: the version stays.' : `Saved as version ${payload.agent.version}.`);
    onDone();
  }

  return (
    <>
      {agent.version !== base && !update.pending && (
        <Alert color="yellow" icon={<IconArrowsDiff size={20} />} title={`There is version ${agent.version} by now`} mb="md">
          <Text size="sm">
            Somebody saved it while you were writing on version {base}. What you wrote is still here, but it cannot be saved: copy what you
            need, cancel, and edit the new version.
          </Text>
        </Alert>
      )}
      <AgentForm values={values} onChange={setValues} error={update.error} pending={update.pending} submitLabel="Save as new version" onSubmit={() => void save()} onCancel={onCancel} />
    </>
  );
}
