import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import type { Role } from '../../../gql/enums';
import type { MemberRowFragment } from '../../../gql/types';
import { CodeText } from '../../../lib/code-text';
import { describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import { RolePicker } from '../role-picker';

const CHANGE = graphql(`
  mutation ChangeUserRoles($input: ChangeUserRolesInput!) {
    changeUserRoles(input: $input) {
      user {
        ...MemberRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function RolesForm({ member, onDone, onCancel }: { member: MemberRowFragment; onDone: () => void; onCancel: () => void }) {
  const [roles, setRoles] = useState<readonly Role[]>(member.roles);
  const change = useCommand(CHANGE, { success: 'Changed', quiet: true });
  return (
    <Stack component="form" onSubmit={async (event) => (event.preventDefault(), (await change.run({ input: { userId: member.id, roles: [...roles] } })) && onDone())}>
      <RolePicker focusFirst value={roles} onChange={setRoles} error={change.error ? <CodeText>{describe(change.error)}</CodeText> : undefined} />
      <Text size="xs" c="dimmed">
        Their open connections end, and come back with the new rights.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={change.pending} disabled={roles.length === 0}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}
