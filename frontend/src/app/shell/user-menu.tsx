import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconLogout, IconSettings } from '@tabler/icons-react';
import { Link } from 'react-router';
import { apiToken } from '../../lib/api-token';
import { describe } from '../../lib/errors';
import { showFailure } from '../../lib/notify';
import { signOut } from '../../lib/sign-out';
import { useApiToken } from '../../lib/use-stores';
import { useViewer } from '../../lib/use-viewer';

/** Leaving shows itself: without a session or a token, the page goes to the sign-in page. */
function leave(byToken: boolean): void {
  if (byToken) apiToken.forget();
  else signOut().catch((error: unknown) => showFailure(describe(error)));
}

export function UserMenu() {
  const { viewer } = useViewer();
  const byToken = useApiToken() !== null;
  const name = viewer?.displayName ?? '…';
  return (
    <Menu width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={`You: ${name}`}>
          <Avatar name={name} color="brand" variant="light" radius="xl" size={34} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {byToken ? 'API token' : viewer?.user?.email}
          </Text>
          <Text size="xs">{viewer?.roles.map((role) => role.toLowerCase()).join(', ')}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} />}>
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave(byToken)}>
          {byToken ? 'Forget the API token' : 'Sign out'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
