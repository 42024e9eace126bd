import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { apiToken } from '../../lib/api-token';
import { leaveFor } from '../../lib/navigate';

/** For who comes here although an API token is kept: it would be used whatever they do next, so they should know. */
export function KeptToken({ next }: { next: string }) {
  return (
    <Alert color="brand" icon={<IconKey size={18} />} role="region" aria-label="Kept API token">
      <Stack gap="sm">
        An API token is kept in this browser and is used instead of your sign-in.
        <Group gap="xs">
          <Button size="xs" onClick={() => void leaveFor(next)}>
            Go on with it
          </Button>
          <Button size="xs" variant="default" onClick={apiToken.forget}>
            Forget it
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
