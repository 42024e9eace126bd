import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { ErrorState } from '../../components/error-state';
import { PageHeader } from '../../components/page-header';
import { UnsavedGuard } from '../../components/unsaved-guard';
import { graphql } from '../../gql/documents';
import { requestKey } from '../../lib/request-key';
import { useCommand } from '../../lib/use-command';
import { DefinitionEditor } from './definition-editor';
import { useDefinition } from './use-definition';

const CREATE = graphql(`
  mutation CreateWorkflow($input: CreateWorkflowInput!) {
    createWorkflow(input: $input) {
      workflow {
        id
      }
      problems {
        message
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Something that shows how it is done, and only lacks the name of an agent. */
const BEGINNING = {
  name: 'New workflow',
  description: 'What it is for',
  inputSchema: { type: 'object', required: ['subject'], properties: { subject: { type: 'string' } } },
  steps: [
    { key: 'first', agent: 'Name of an agent' },
    { key: 'second', agent: 'Name of an agent', gate: 'ALWAYS' },
  ],
};

export function NewWorkflow() {
  const document = useDefinition(BEGINNING, null);
  const create = useCommand(CREATE, { quiet: true, success: 'The workflow is there.' });
  const [made, setMade] = useState<string | null>(null);
  const [idempotencyKey] = useState(requestKey);

  async function store(draft: boolean) {
    const payload = await create.run({ input: { source: document.text, draft, idempotencyKey: `${idempotencyKey}-${document.text.length}-${draft}` } });
    if (payload?.workflow) setMade(payload.workflow.id);
  }

  if (made !== null) return <Navigate to={`/workflows/${made}`} replace />;
  return (
    <>
      <UnsavedGuard when={document.dirty} />
      <PageHeader title="New workflow" back={{ to: '/workflows', label: 'Workflows' }}>
        Steps, the agents that do them, and where people are asked.
      </PageHeader>
      <DefinitionEditor document={document} />
      {create.error && (
        <div style={{ marginTop: 12 }}>
          <ErrorState error={create.error} title="It was not saved" />
        </div>
      )}
      <Group mt="md" gap="xs">
        <Button onClick={() => void store(false)} loading={create.pending}>
          Create workflow
        </Button>
        <Button variant="default" onClick={() => void store(true)} loading={create.pending}>
          Keep as draft
        </Button>
      </Group>
    </>
  );
}
