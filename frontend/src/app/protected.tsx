import { Center, Loader } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { ErrorState } from '../components/error-state';
import { leaveFor } from '../lib/navigate';
import { signInPath } from '../lib/safe-next';
import { session } from '../lib/session';
import { useApiToken, useSession } from '../lib/use-stores';

/**
 * Shows its content to who has an API token or a session, and takes others to the sign-in page and back. Leaving by a full load
 * is on purpose: nothing that one person saw is in memory when the next one signs in.
 */
export function Protected({ children }: { children: ReactNode }) {
  const token = useApiToken();
  const state = useSession();
  const status = token === null ? state.status : 'signed-in';
  const ended = state.status === 'signed-out' && state.ended === true;

  useEffect(() => {
    if (status === 'starting') void session.start();
    if (status === 'signed-out') void leaveFor(signInPath(location.pathname + location.search + location.hash, ended));
  }, [status, ended]);

  if (status === 'signed-in') return children;
  return (
    <Center mih="100dvh" p="md">
      {state.status === 'failed' ? (
        <ErrorState error={state.error} onRetry={() => void session.start()} />
      ) : (
        <Loader role="img" aria-label="Looking for your session" />
      )}
    </Center>
  );
}
