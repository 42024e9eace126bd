import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Plain } from '../../lib/plain';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import classes from './checkpoint.module.css';
import { ASSIGN, CLAIM, DELEGATE } from './responsibility-documents';
import { PersonDialog } from './person-dialog';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

/** Who looks at it. Nobody is locked out: others may decide all the same. */
export function Responsibility({ checkpoint: { id, status, assignee, delegations, viewerCanDecide } }: { checkpoint: Checkpoint }) {
  const { viewer, can } = useViewer();
  const claim = useCommand(CLAIM);
  const assign = useCommand(ASSIGN, { quiet: true });
  const delegate = useCommand(DELEGATE, { quiet: true });
  const [asking, setAsking] = useState<'assign' | 'delegate' | null>(null);
  if (status !== 'PENDING') return null;
  const mine = assignee !== null && assignee.id === viewer?.user?.id;
  const person = viewer?.user != null;
  const checkpointId = id;
  const command = asking === 'delegate' ? delegate : assign;

  return (
    <Section title="Who looks at it">
      <Stack gap="xs">
        <Text size="sm">{assignee === null ? 'Nobody yet.' : mine ? 'You do. Others may decide all the same.' : <><Plain>{assignee.displayName}</Plain>. Others may decide all the same.</>}</Text>
        {delegations.map(({ from, to }) => (
          <Text size="sm" key={`${from?.id} ${to?.id}`}>
            <Plain>{to?.displayName ?? 'Somebody'}</Plain> may decide in the place of <Plain>{from?.displayName ?? 'somebody'}</Plain>.
          </Text>
        ))}
        {can('APPROVER') && (
          <div className={classes.hands}>
            {!mine && person && viewerCanDecide && (
              <Button size="xs" variant="light" loading={claim.pending} onClick={() => void claim.run({ input: { checkpointId } })}>
                I am on it
              </Button>
            )}
            {assignee !== null && (
              <Button size="xs" variant="default" loading={assign.pending} onClick={() => void assign.run({ input: { checkpointId, userId: null } })}>
                Give it back
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => setAsking('assign')}>
              Assign…
            </Button>
            {person && viewerCanDecide && (
              <Button size="xs" variant="default" onClick={() => setAsking('delegate')}>
                Delegate…
              </Button>
            )}
          </div>
        )}
      </Stack>
      <PersonDialog
        purpose={asking}
        pending={command.pending}
        error={command.error}
        onClose={() => (setAsking(null), assign.reset(), delegate.reset())}
        onChoose={async (userId) => {
          const done = await command.run({ input: { checkpointId, userId } });
          if (done !== null) setAsking(null);
        }}
      />
    </Section>
  );
}
