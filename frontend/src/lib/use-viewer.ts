import { useQuery } from 'urql';
import type { Role } from '../gql/enums';
import { graphql } from '../gql/documents';

const VIEWER = graphql(`
  query ConsoleViewer {
    viewer {
      displayName
      roles
      user {
        id
        email
      }
      apiToken {
        id
        name
      }
      workspace {
        id
        name
      }
    }
  }
`);

/** Who uses the console, and what they may do. The server has the last word; this only keeps useless buttons away. */
export function useViewer() {
  const [{ data, error, fetching }, retry] = useQuery({ query: VIEWER, requestPolicy: 'cache-first' });
  const viewer = data?.viewer ?? null;
  const can = (role: Role) => viewer !== null && (viewer.roles.includes(role) || viewer.roles.includes('ADMIN'));
  return { viewer, can, error: error ?? null, fetching, retry: () => retry({ requestPolicy: 'network-only' }) };
}
