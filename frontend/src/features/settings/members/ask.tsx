import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAction } from '../../../lib/use-action';

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  danger?: boolean;
  onConfirm: () => Promise<unknown>;
}

/** The dialog of `ConfirmButton` for what is chosen from a menu, where the button is gone by then. */
export function Ask({ opened, onClose, title, children, confirmLabel, danger = false, onConfirm }: Props) {
  const confirm = useAction(async () => {
    await onConfirm();
  });
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color={danger ? 'red' : 'brand'} loading={confirm.pending} onClick={() => void confirm.run()}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
