import { useEffect } from 'react';
import { leaveFor } from '../../lib/navigate';
import { signInPath } from '../../lib/safe-next';
import { session } from '../../lib/session';
import { useApiToken, useSession } from '../../lib/use-stores';

export type Access =
  | { status: 'checking' }
  | { status: 'leaving' }
  | { status: 'failed'; error: unknown }
  /** `identity` changes when somebody else's eyes are on the page. */
  | { status: 'granted'; by: 'api-token' | 'session'; identity: string };

/** What this page may show: an API token or a session opens it, without either it is left for the sign-in page. */
export function useAccess(): Access {
  const token = useApiToken();
  const state = useSession();
  const status = token === null ? state.status : 'api-token';

  useEffect(() => {
    if (status === 'starting') void session.start();
    if (status === 'signed-out') void leaveFor(signInPath('/graphiql'));
  }, [status]);

  if (token !== null) return { status: 'granted', by: 'api-token', identity: token };
  if (state.status === 'signed-in') return { status: 'granted', by: 'session', identity: 'session' };
  if (state.status === 'failed') return { status: 'failed', error: state.error };
  return { status: state.status === 'signed-out' ? 'leaving' : 'checking' };
}
