import { Button } from '@mantine/core';
import { ConfirmButton } from '../../../components/confirm-button';
import { graphql } from '../../../gql/documents';
import type { SessionRowFragment } from '../../../gql/types';
import { session } from '../../../lib/session';
import { useCommand } from '../../../lib/use-command';
import { useLive } from '../../../lib/use-live';
import { Section } from '../section';
import { SessionLine } from '../session-line';

/** Whatever happens to one's sessions, anywhere. */
const CHANGES = graphql(`
  subscription SessionChanges($after: String) {
    sessionEvents(after: $after) {
      cursor
      type
      session {
        ...SessionRow
      }
    }
  }
`);

const END = graphql(`
  mutation EndSession($input: SignOutInput!) {
    signOut(input: $input) {
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function Sessions({ sessions, onChanged }: { sessions: readonly SessionRowFragment[]; onChanged: () => void }) {
  useLive(CHANGES, {}, {
    // What goes on is the same row with another time, which the cache changes by itself.
    onEvent: ({ sessionEvents: event }) => event.type !== 'RENEWED' && onChanged(),
    onGap: onChanged,
  });
  const end = useCommand(END, { success: 'The session has ended' });
  const everywhere = useCommand(END);
  return (
    <Section
      title="Sessions"
      explanation="Where you are signed in."
      actions={
        <ConfirmButton
          variant="default"
          color="red"
          size="xs"
          title="Sign out everywhere?"
          explanation="All your sessions end at once, this one as well."
          confirmLabel="Sign out everywhere"
          onConfirm={async () => {
            const payload = await everywhere.run({ input: { everywhere: true } });
            // Without a session the page goes to the sign-in page by itself.
            if (payload) session.end();
            return payload !== null;
          }}
        >
          Sign out everywhere
        </ConfirmButton>
      }
    >
      {sessions.map((one) => (
        <SessionLine key={one.id} session={one}>
          {!one.current && (
            <Button size="xs" variant="default" loading={end.pending} onClick={async () => (await end.run({ input: { sessionId: one.id } })) && onChanged()}>
              End it
            </Button>
          )}
        </SessionLine>
      ))}
    </Section>
  );
}
