import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useCallback } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';

/** Asks before a draft is lost. */
export function LeaveGuard({ when }: { when: boolean }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname);
  useBeforeUnload(useCallback((event) => when && event.preventDefault(), [when]));
  const stay = () => blocker.reset?.();
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={stay} title="Leave without saving?">
      <Stack>
        <Text size="sm">Your draft of the policy is lost when you leave this page.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay}>
            Stay
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
