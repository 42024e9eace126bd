import { Alert, Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SchemaForm } from '../../components/schema-form/schema-form';
import { validate } from '../../components/schema-form/validate';
import { graphql } from '../../gql/documents';
import type { ExecutionMode } from '../../gql/enums';
import type { WorkflowDetailFragment } from '../../gql/types';
import { CodeText } from '../../lib/code-text';
import { CommandError, describe, sentence } from '../../lib/errors';
import { requestKey } from '../../lib/request-key';
import { useCommand } from '../../lib/use-command';
import { inputSchemaOf, sampleInput } from './model/document';

const START = graphql(`
  mutation StartExecution($input: StartExecutionInput!) {
    startExecution(input: $input) {
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

interface Props {
  workflow: WorkflowDetailFragment;
  mode: ExecutionMode;
  opened: boolean;
  onClose: () => void;
}

/** Starts the newest version, with an input from a form that its schema makes; then shows the run. */
export function RunDialog({ workflow, mode, opened, onClose }: Props) {
  const title = mode === 'TEST' ? `Test run of ${workflow.name}` : `Run ${workflow.name}`;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      <RunForm workflow={workflow} mode={mode} onClose={onClose} />
    </Modal>
  );
}

function RunForm({ workflow, mode, onClose }: Omit<Props, 'opened'>) {
  const navigate = useNavigate();
  const definition = workflow.latestVersion?.definition;
  const [input, setInput] = useState<unknown>(() => sampleInput(definition));
  const schema = inputSchemaOf(definition);
  const [valid, setValid] = useState(() => validate(schema, input).length === 0);
  const [attempts, setAttempts] = useState(0);
  const [reference, setReference] = useState('');
  const start = useCommand(START, { quiet: true });

  async function run() {
    if (!valid) {
      setAttempts(attempts + 1);
      return;
    }
    const correlationId = reference.trim() === '' ? null : reference.trim();
    const payload = await start.run({ input: { workflowId: workflow.id, version: workflow.latestVersion?.number ?? null, input: input ?? {}, mode, correlationId, idempotencyKey: requestKey() } });
    if (payload?.execution) void navigate(`/executions/${payload.execution.id}`);
  }

  return (
    <form noValidate onSubmit={(event) => (event.preventDefault(), void run())}>
      <Stack>
        {mode === 'TEST' && (
          <Text size="sm" c="dimmed">
            It really runs, agents do their work and people are asked. It is marked as a test and left out of analytics.
          </Text>
        )}
        <SchemaForm schema={schema} value={input} onChange={setInput} onValidity={setValid} label="Input" focusFirst attempts={attempts} />
        <TextInput label="Reference" description="What it belongs to, such as an order's number. Optional." maxLength={200} value={reference} onChange={({ currentTarget }) => setReference(currentTarget.value)} data-autofocus />
        {attempts > 0 && !valid && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            The input is not complete yet: see what is marked.
          </Text>
        )}
        {start.error && (
          <Alert color="red" title="It was not started" role="alert">
            <List size="sm" listStyleType="none">
              {(start.error instanceof CommandError ? start.error.userErrors : [start.error]).map(({ message }) => (
                <List.Item key={message}><CodeText>{start.error instanceof CommandError ? sentence(message) : describe(start.error)}</CodeText></List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={start.pending}>
            {mode === 'TEST' ? 'Start the test' : 'Start'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
