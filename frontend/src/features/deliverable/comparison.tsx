import { Button, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { TextDiff } from '../../components/text-diff';
import { graphql } from '../../gql/documents';
import type { CompareDeliverableVersionsQuery } from '../../gql/types';
import { CodeText } from '../../lib/code-text';
import { toApiError } from '../../lib/send-exchange';
import { inOrder } from './model/versions';

const COMPARE = graphql(`
  query CompareDeliverableVersions($id: ID!, $from: Int!, $to: Int!) {
    compareDeliverableVersions(deliverableId: $id, from: $from, to: $to) {
      identical
      diff
      reason
      addedLines
      removedLines
    }
  }
`);

interface Props {
  deliverableId: string;
  one: number;
  other: number;
  onClose: () => void;
}

export function Comparison({ deliverableId, one, other, onClose }: Props) {
  const { from, to } = inOrder(one, other);
  const [{ data, error, fetching }, ask] = useQuery({ query: COMPARE, variables: { id: deliverableId, from, to } });
  const result = data?.compareDeliverableVersions;
  return (
    <Card component="section" aria-label="Difference">
      <Group justify="space-between" mb="sm">
        <Group gap="sm">
          <Title order={2} size="h3">
            Version {from} → {to}
          </Title>
          {result && <Summary result={result} />}
        </Group>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          Back to the content
        </Button>
      </Group>
      {fetching && !result && <Skeleton height={160} radius="md" />}
      {error && !result && <ErrorState error={toApiError(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {result?.diff !== undefined && result.diff !== null && <TextDiff unified={result.diff} label={`Difference of version ${from} and ${to}`} />}
    </Card>
  );
}

function Summary({ result }: { result: CompareDeliverableVersionsQuery['compareDeliverableVersions'] }) {
  if (result.identical) return <Text size="sm" c="dimmed">The content is the same.</Text>;
  if (result.diff === null) {
    const reason = result.reason ?? 'these versions cannot be compared as text';
    return <Text size="sm" c="dimmed">No difference can be shown: <CodeText>{reason}</CodeText>. Download both to compare them.</Text>;
  }
  return (
    <Text size="sm" c="dimmed">
      {result.addedLines === 1 ? 'One line' : `${result.addedLines ?? 0} lines`} added, {result.removedLines ?? 0} removed
    </Text>
  );
}
