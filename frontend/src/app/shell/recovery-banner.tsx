import { Alert, Button, Group, Text } from '@mantine/core';
import { IconUserExclamation } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router';
import { useQuery } from 'urql';
import { graphql } from '../../gql/documents';
import { exactTime } from '../../lib/format';
import { useCommand } from '../../lib/use-command';

const WAYS_IN = graphql(`
  query WaysIn {
    viewer {
      held
      signInLink {
        createdAt
      }
      sessions {
        id
        current
        held
        createdAt
      }
    }
  }
`);

const WITHDRAW = graphql(`
  mutation WithdrawSignInLink {
    withdrawSignInLink {
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const END = graphql(`
  mutation EndRecoverySession($input: SignOutInput!) {
    signOut(input: $input) {
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** An admin has opened a way into one's account, which may have been for somebody else. */
export function RecoveryBanner() {
  const [{ data }, ask] = useQuery({ query: WAYS_IN, requestPolicy: 'cache-first' });
  const again = () => ask({ requestPolicy: 'network-only' });
  const { pathname } = useLocation();
  const look = useEffectEvent((_page: string) => again());
  // Every page that is opened looks again: this is seldom, and must not be missed for long.
  useEffect(() => look(pathname), [pathname]);
  const withdraw = useCommand(WITHDRAW, { success: 'The link cannot be used any more' });
  const end = useCommand(END, { success: 'The session has ended' });
  const viewer = data?.viewer;
  if (!viewer) return null;
  if (viewer.held) {
    return (
      <Alert color="yellow" icon={<IconUserExclamation size={20} />} radius={0} py="xs" title="This session is read-only">
        <Text size="sm">
          It was opened with a link that an admin made for an account in use. Sign in with your password to do more, or ask the server’s operator for a link.
        </Text>
      </Alert>
    );
  }
  const link = viewer.signInLink;
  const others = viewer.sessions.filter((one) => one.held && !one.current);
  return (
    <>
      {link && (
        <Alert color="yellow" icon={<IconUserExclamation size={20} />} radius={0} py="xs" title="Somebody made a sign-in link for your account">
          <Group gap="sm">
            <Text size="sm">It was made on {exactTime(Date.parse(link.createdAt))}. If you did not ask for it, take it back.</Text>
            <Button size="xs" variant="default" loading={withdraw.pending} onClick={async () => (await withdraw.run({})) && again()}>
              Take it back
            </Button>
          </Group>
        </Alert>
      )}
      {others.map((one) => (
        <Alert key={one.id} color="red" icon={<IconUserExclamation size={20} />} radius={0} py="xs" title="Somebody signed in to your account with a link that an admin made">
          <Group gap="sm">
            <Text size="sm">That was on {exactTime(Date.parse(one.createdAt))}. If it was not you, end that session.</Text>
            <Button size="xs" color="red" loading={end.pending} onClick={async () => (await end.run({ input: { sessionId: one.id } })) && again()}>
              End it
            </Button>
          </Group>
        </Alert>
      ))}
    </>
  );
}
