import { Drawer, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { graphql } from '../../gql/documents';
import { toApiError } from '../../lib/send-exchange';
import { words } from '../../lib/format';
import { useUrlFilters } from '../../lib/use-url-filters';
import { EntryDetails } from './entry-details';

const ENTRY = graphql(`
  query AuditEntry($id: ID!) {
    node(id: $id) {
      __typename
      ... on AuditEntry {
        ...AuditEntryDetails
      }
    }
  }
`);

const parse = (params: URLSearchParams) => params.get('entry');

/** One entry with all that it says, over the list. */
export function EntryDrawer() {
  const { filters: id, set } = useUrlFilters(parse);
  const [{ data, error }, ask] = useQuery({ query: ENTRY, variables: { id: id ?? '' }, pause: id === null });
  const entry = data?.node?.__typename === 'AuditEntry' && data.node.id === id ? data.node : null;
  return (
    <Drawer
      opened={id !== null}
      onClose={() => set({ entry: null })}
      position="right"
      size="lg"
      title={entry ? `${entry.action === null ? 'Entry' : words(entry.action)} · no. ${entry.sequence}` : 'Entry'}
    >
      {entry && <EntryDetails entry={entry} />}
      {!entry && error && <ErrorState error={toApiError(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!entry && !error && data?.node === null && <Text c="dimmed">There is no such entry.</Text>}
      {!entry && !error && data?.node !== null && (
        <Stack>
          <Skeleton height={24} />
          <Skeleton height={120} />
        </Stack>
      )}
    </Drawer>
  );
}
