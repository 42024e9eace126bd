import { Skeleton, Text } from '@mantine/core';
import { useQuery, type CombinedError } from 'urql';
import { ErrorState } from '../../components/error-state';
import { JsonView } from '../../components/json-view';
import { graphql } from '../../gql/documents';
import type { StepStatus } from '../../gql/enums';
import { toApiError } from '../../lib/send-exchange';
import type { StepFacts } from './execution-documents';
import { cursorBeforeOutput } from './model/output-cursor';
import type { RunEvent } from './run-event';

/*
 * What a step was given and gave, asked for when somebody looks. A run may have a hundred steps with megabytes each: an output is
 * read as the one event that brought it, and inputs, which the API has only for all steps at once, when they are wanted.
 */

const OUTPUT = graphql(`
  query StepOutput($id: ID!, $after: String) {
    execution(id: $id) {
      id
      events(first: 1, after: $after, types: [STEP_COMPLETED]) {
        nodes {
          cursor
          ... on StepCompleted {
            stepKey
            output
          }
        }
      }
    }
  }
`);

const KEPT = graphql(`
  query KeptOutputs($id: ID!) {
    execution(id: $id) {
      id
      steps {
        key
        output
      }
    }
  }
`);

const INPUTS = graphql(`
  query StepInputs($id: ID!) {
    execution(id: $id) {
      id
      steps {
        key
        attempt
        input
      }
    }
  }
`);

interface Props {
  id: string;
  facts: StepFacts;
  status: StepStatus;
}

export function StepOutput({ id, facts, status, events }: Props & { events: readonly RunEvent[] }) {
  const after = cursorBeforeOutput(events, facts.key);
  const done = status === 'COMPLETED';
  const [event, askEvent] = useQuery({ query: OUTPUT, variables: { id, after: after ?? '' }, pause: !done || after === null });
  const [kept, askKept] = useQuery({ query: KEPT, variables: { id }, pause: !done || after !== null });
  if (!done) return <Text size="sm" c="dimmed">{status === 'SKIPPED' ? 'A step that is skipped gives nothing.' : 'There is no output yet.'}</Text>;
  const found = event.data?.execution?.events.nodes[0];
  const value = after === null ? kept.data?.execution?.steps.find(({ key }) => key === facts.key)?.output : found && 'output' in found ? found.output : undefined;
  const error = event.error ?? kept.error;
  return <Value value={value} error={error} name={`output of step ${facts.key}`} onRetry={after === null ? askKept : askEvent} />;
}

export function StepInput({ id, facts, status }: Props) {
  const begun = status !== 'PENDING' && status !== 'SKIPPED' && !facts.kept;
  const [{ data, error }, ask] = useQuery({ query: INPUTS, variables: { id }, pause: !begun, requestPolicy: 'network-only' });
  if (!begun) return <Text size="sm" c="dimmed">{facts.kept ? 'Its input is with the execution before.' : 'It has been given nothing yet.'}</Text>;
  return <Value value={data?.execution?.steps.find(({ key }) => key === facts.key)?.input} error={error} name={`input of step ${facts.key}`} onRetry={ask} />;
}

function Value({ value, error, name, onRetry }: { value: unknown; error: CombinedError | undefined; name: string; onRetry: (options: { requestPolicy: 'network-only' }) => void }) {
  if (value !== undefined) return <JsonView value={value} name={name} maxHeight={480} />;
  if (error) return <ErrorState error={toApiError(error)} onRetry={() => onRetry({ requestPolicy: 'network-only' })} />;
  return <Skeleton height={120} radius="md" />;
}
