import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Plain } from '../../lib/plain';
import { parcelTitle, type Parcel } from './model/outbox';

const toastId = (id: number) => `held-${id}`;

/** Tells what will be sent in a moment, and lets it be taken back until then. */
export function showHeld(parcel: Parcel, onUndo: () => void): void {
  notifications.show({
    id: toastId(parcel.id),
    autoClose: false,
    withCloseButton: false,
    role: 'status',
    message: (
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Plain>{parcelTitle(parcel)}</Plain>
        </Text>
        <Button size="compact-md" variant="light" onClick={onUndo} flex="none">
          Undo
        </Button>
      </Group>
    ),
  });
}

export function hideHeld(id: number): void {
  notifications.hide(toastId(id));
}
