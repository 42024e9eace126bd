import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconGitFork } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { SchemaForm } from '../../components/schema-form/schema-form';
import { graphql } from '../../gql/documents';
import { requestKey } from '../../lib/request-key';
import { useCommand } from '../../lib/use-command';
import type { Plan } from './execution-documents';
import { inputSchemaOf } from './model/input-schema';

const FORK = graphql(`
  mutation ForkExecution($input: ForkExecutionInput!) {
    forkExecution(input: $input) {
      execution {
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

const INPUT = graphql(`
  query ForkInput($id: ID!) {
    execution(id: $id) {
      id
      input
    }
  }
`);

/** Goes another way from a step on, as a new execution: with the same input or another. */
export function ForkButton({ plan, stepKey }: { plan: Plan; stepKey: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="sm" leftSection={<IconGitFork size={16} />} onClick={open}>
        Fork from here
      </Button>
      <Modal opened={opened} onClose={close} title={`Fork from the step ${stepKey}?`} size="lg">
        <ForkForm plan={plan} stepKey={stepKey} onClose={close} />
      </Modal>
    </>
  );
}

function ForkForm({ plan, stepKey, onClose }: { plan: Plan; stepKey: string; onClose: () => void }) {
  const navigate = useNavigate();
  const fork = useCommand(FORK, { success: 'It goes another way, as a new execution.', quiet: true });
  const [other, setOther] = useState(false);
  const [input, setInput] = useState<unknown>(undefined);
  const [valid, setValid] = useState(true);
  const [{ data }] = useQuery({ query: INPUT, variables: { id: plan.id }, pause: !other });
  const [idempotencyKey] = useState(requestKey);
  const loaded = data?.execution;

  async function submit() {
    const changed = other && input !== undefined ? { input } : {};
    // Another input is another request: it needs another key.
    const key = `${idempotencyKey}${other ? `-${requestKey()}` : ''}`;
    const payload = await fork.run({ input: { executionId: plan.id, fromStep: stepKey, idempotencyKey: key, ...changed } });
    if (payload?.execution) void navigate(`/executions/${payload.execution.id}`);
  }

  return (
    <Stack>
      <Text size="sm">
        A new execution runs this step and everything after it again. It keeps the outputs of everything that does not depend on this
        step. This execution stays as it is.
      </Text>
      <Checkbox data-autofocus label="With another input" checked={other} onChange={({ currentTarget }) => setOther(currentTarget.checked)} />
      {other && loaded && (
        <SchemaForm schema={inputSchemaOf(plan.workflowVersion?.definition)} value={input ?? loaded.input} onChange={setInput} onValidity={setValid} label="Input" focusFirst />
      )}
      {fork.error && <ErrorState error={fork.error} title="It was not forked" />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={fork.pending} disabled={other && !valid} onClick={() => void submit()}>
          Fork
        </Button>
      </Group>
    </Stack>
  );
}
