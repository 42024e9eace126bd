import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { ErrorState } from '../../../components/error-state';
import { graphql } from '../../../gql/documents';
import { toApiError } from '../../../lib/send-exchange';
import { useRefresh } from '../../../lib/use-refresh';
import { MemberIdentities } from './member-identities';
import { MemberSessions } from './member-sessions';

const ACCESS = graphql(`
  query MemberAccess($id: ID!) {
    node(id: $id) {
      __typename
      id
      ... on User {
        sessions {
          ...SessionRow
        }
        identities {
          ...IdentityRow
        }
      }
    }
  }
`);

/** The ways in that somebody has at the moment. Only administrators see those of others. */
export function MemberAccess({ userId, name }: { userId: string; name: string }) {
  const [{ data, error }, ask] = useQuery({ query: ACCESS, variables: { id: userId }, requestPolicy: 'cache-and-network' });
  const refresh = useRefresh(ask, 50);
  const user = data?.node?.__typename === 'User' ? data.node : null;
  if (!user) return error ? <ErrorState error={toApiError(error)} onRetry={refresh} /> : <Skeleton height={120} />;
  return (
    <Stack gap="lg">
      <MemberSessions userId={userId} name={name} sessions={user.sessions ?? []} onChanged={refresh} />
      <MemberIdentities userId={userId} identities={user.identities ?? []} onChanged={refresh} />
    </Stack>
  );
}
