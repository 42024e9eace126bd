import { Button, Group, Text, Title } from '@mantine/core';
import { ConfirmButton } from '../../../components/confirm-button';
import { graphql } from '../../../gql/documents';
import type { SessionRowFragment } from '../../../gql/types';
import { useCommand } from '../../../lib/use-command';
import { SessionLine } from '../session-line';

const END = graphql(`
  mutation EndMemberSession($input: EndSessionInput!) {
    endSession(input: $input) {
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const END_ALL = graphql(`
  mutation EndMemberSessions($input: EndSessionsInput!) {
    endSessions(input: $input) {
      ended
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface Props {
  userId: string;
  name: string;
  sessions: readonly SessionRowFragment[];
  onChanged: () => void;
}

/** Where somebody else is signed in. What is ended is cut off at once. */
export function MemberSessions({ userId, name, sessions, onChanged }: Props) {
  const end = useCommand(END, { success: 'The session has ended' });
  const all = useCommand(END_ALL, { success: 'All sessions have ended' });
  return (
    <section aria-label="Sessions">
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          Sessions
        </Title>
        {sessions.length > 0 && (
          <ConfirmButton
            variant="default"
            color="red"
            size="xs"
            title={`End all sessions of ${name}?`}
            explanation="Open connections are cut off at once. They can sign in again."
            confirmLabel="End all"
            onConfirm={async () => {
              const payload = await all.run({ input: { userId } });
              if (payload) onChanged();
              return payload !== null;
            }}
          >
            End all
          </ConfirmButton>
        )}
      </Group>
      {sessions.length === 0 && (
        <Text size="sm" c="dimmed">
          Not signed in anywhere.
        </Text>
      )}
      {sessions.map((one) => (
        <SessionLine key={one.id} session={one}>
          <Button size="xs" variant="default" loading={end.pending} onClick={async () => (await end.run({ input: { sessionId: one.id } })) && onChanged()}>
            End it
          </Button>
        </SessionLine>
      ))}
    </section>
  );
}
