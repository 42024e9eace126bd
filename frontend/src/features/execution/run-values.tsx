import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { JsonView } from '../../components/json-view';
import { PageSkeleton } from '../../components/page-skeleton';
import { graphql } from '../../gql/documents';
import type { ExecutionStatus } from '../../gql/enums';
import { toApiError } from '../../lib/send-exchange';

const VALUES = graphql(`
  query ExecutionValues($id: ID!, $ended: Boolean!) {
    execution(id: $id) {
      id
      input
      output @include(if: $ended)
    }
  }
`);

/** What the whole was given and gave. Asked for only when somebody looks: each may have ten megabytes. */
export function RunValues({ id, status }: { id: string; status: ExecutionStatus }) {
  const ended = status === 'COMPLETED';
  const [{ data, error, fetching }, ask] = useQuery({ query: VALUES, variables: { id, ended } });
  if (error) return <ErrorState error={toApiError(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />;
  if (!data?.execution && fetching) return <PageSkeleton />;
  return (
    <Stack gap="lg">
      <section aria-label="Input">
        <Title order={3} size="sm" mb={4}>Input</Title>
        <JsonView value={data?.execution?.input ?? null} name="input of the execution" />
      </section>
      <section aria-label="Output">
        <Title order={3} size="sm" mb={4}>Output</Title>
        {ended ? (
          <JsonView value={data?.execution?.output ?? null} name="output of the execution" />
        ) : (
          <Text size="sm" c="dimmed">There is an output when the execution has completed. What single steps gave is in their details.</Text>
        )}
      </section>
    </Stack>
  );
}
