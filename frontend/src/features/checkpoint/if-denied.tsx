import { List, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../../gql/documents';
import { CodeText } from '../../lib/code-text';
import { onReject, REJECTED_QUESTIONS, REJECTED_REQUEST } from './model/denied';
import { ON_TIMEOUT } from './model/people';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

const DOCUMENT = graphql(`
  query CheckpointWorkflowDocument($id: ID!) {
    execution(id: $id) {
      id
      workflowVersion {
        definition
      }
    }
  }
`);

/** What happens when it is rejected, or when nobody decides. */
export function IfDenied({ checkpoint: { kind, execution, stepKey, proposal, requirement, deadline } }: { checkpoint: Checkpoint }) {
  const [{ data }] = useQuery({ query: DOCUMENT, variables: { id: execution.id }, pause: kind !== 'STEP', requestPolicy: 'cache-first' });
  const consequence =
    kind === 'STEP' && stepKey !== null
      ? data && onReject(data.execution?.workflowVersion?.definition, stepKey)
      : kind === 'CLARIFICATION'
        ? REJECTED_QUESTIONS
        : REJECTED_REQUEST;
  return (
    <Section title="If it is denied">
      <Text size="sm">{consequence}</Text>
      {proposal.alternatives.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            What could be done instead:
          </Text>
          <List size="sm" mt={4}>
            {proposal.alternatives.map((alternative) => (
              <List.Item key={alternative}><CodeText>{alternative}</CodeText></List.Item>
            ))}
          </List>
        </>
      )}
      {deadline !== null && requirement?.onTimeout && (
        <Text size="sm" c="dimmed" mt="xs">
          If nobody decides in time, {ON_TIMEOUT[requirement.onTimeout]}.
        </Text>
      )}
    </Section>
  );
}
