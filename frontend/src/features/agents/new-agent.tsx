import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../gql/documents';
import type { AgentKind } from '../../gql/enums';
import { told } from '../../lib/code-text';
import { CommandError } from '../../lib/errors';
import { useCommand } from '../../lib/use-command';
import { AgentForm, type AgentValues } from './agent-form';
import { KIND_DATA, KINDS } from './model/kinds';

const CREATE = graphql(`
  mutation CreateAgent($input: CreateAgentInput!) {
    createAgent(input: $input) {
      agent {
        ...AgentDetail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const beginning = (kind: AgentKind): AgentValues => ({
  description: '',
  operationType: null,
  riskLevel: null,
  config: KINDS[kind].config,
  inputSchema: null,
  outputSchema: null,
});

/** Adds an agent to the library. Its name and kind stay for good. */
export function NewAgent({ onMade }: { onMade: (id: string) => void }) {
  const create = useCommand(CREATE, { quiet: true, success: 'The agent is there.' });
  const [name, setName] = useState('');
  const [kind, setKind] = useState<AgentKind>('WORKER');
  const [values, setValues] = useState(() => beginning('WORKER'));
  const nameError = create.error instanceof CommandError ? create.error.at('input', 'name') : undefined;

  async function save() {
    const payload = await create.run({ input: { name, kind, ...values } });
    if (payload?.agent) onMade(payload.agent.id);
  }

  return (
    <AgentForm key={kind} values={values} onChange={setValues} error={create.error} pending={create.pending} submitLabel="Add the agent" onSubmit={() => void save()}>
      <TextInput label="Name" description="Workflows refer to it by this name. It cannot be changed later." required maxLength={100} value={name} error={told(nameError)} onChange={({ currentTarget }) => setName(currentTarget.value)} data-autofocus />
      <div>
        <SegmentedControl
          fullWidth
          aria-label="Kind"
          data={KIND_DATA}
          value={kind}
          onChange={(next) => {
            setKind(next as AgentKind);
            setValues({ ...values, config: KINDS[next as AgentKind].config });
          }}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {KINDS[kind].explanation}
        </Text>
      </div>
    </AgentForm>
  );
}
