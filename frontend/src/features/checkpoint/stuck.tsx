import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserOff } from '@tabler/icons-react';
import { useViewer } from '../../lib/use-viewer';
import { ReassignDialog } from './reassign-dialog';
import type { Checkpoint } from './use-checkpoint';

/** Nobody can approve it any more: an admin gives it to others. */
export function Stuck({ checkpoint: { id, stuck } }: { checkpoint: Checkpoint }) {
  const { can } = useViewer();
  const [opened, dialog] = useDisclosure(false);
  if (!stuck) return null;
  return (
    <Alert color="yellow" icon={<IconUserOff size={20} />} title="There are not enough people left who can approve this">
      <Text size="sm">The people it was meant for left, changed roles or were disabled. An admin can give it to others.</Text>
      {can('ADMIN') && (
        <Button mt="sm" size="xs" variant="default" onClick={dialog.open}>
          Reassign…
        </Button>
      )}
      <ReassignDialog checkpointId={id} opened={opened} onClose={dialog.close} />
    </Alert>
  );
}
