import { Alert, Button, Text } from '@mantine/core';
import { JsonView } from '../../components/json-view';
import { graphql } from '../../gql/documents';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { Plain } from '../../lib/plain';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

const UPDATE = graphql(`
  mutation UpdateCheckpointAgent($input: UpdateCheckpointAgentInput!) {
    updateCheckpointAgent(input: $input) {
      checkpoint {
        ...CheckpointDetail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** The version of the agent that runs once it is approved, and how that is set up. */
export function Runs({ checkpoint, digest }: { checkpoint: Checkpoint; digest: string }) {
  const { can } = useViewer();
  const update = useCommand(UPDATE, { quiet: true });
  const { runs, id, status } = checkpoint;
  if (!runs) return null;
  const newer = status === 'PENDING' ? runs.newerVersion : null;
  return (
    <Section
      title="What runs"
      aside={
        <Text size="sm" c="dimmed">
          <Plain>{runs.name}</Plain>, version {runs.version}
        </Text>
      }
    >
      {newer !== null && (
        <Alert color="yellow" mb="sm" title={`There is a version ${newer}`}>
          <Text size="sm">This approval is about version {runs.version}, and that is the one that runs.</Text>
          {can('APPROVER') && (
            <Button mt="sm" size="xs" variant="default" loading={update.pending} onClick={() => void update.run({ input: { checkpointId: id, digest } })}>
              Propose version {newer} instead
            </Button>
          )}
          {update.error && (
            <Text size="sm" c="red" role="alert" mt="xs">
              <CodeText>{describe(update.error)}</CodeText>
            </Text>
          )}
        </Alert>
      )}
      <JsonView value={runs.config} name="configuration" />
    </Section>
  );
}
