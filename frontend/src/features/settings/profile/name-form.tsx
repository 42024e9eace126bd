import { Badge, Button, Group, TextInput } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { ProfileUserFragment } from '../../../gql/types';
import { CodeText } from '../../../lib/code-text';
import { describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import { useFollowing } from '../../../lib/use-following';
import { useViewer } from '../../../lib/use-viewer';
import { roleLabel } from '../model/roles';
import { Section } from '../section';

graphql(`
  fragment ProfileUser on User {
    id
    displayName
    email
    roles
    groups {
      id
      name
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateProfile($input: UpdateProfileInput!) {
    updateProfile(input: $input) {
      user {
        id
        displayName
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function NameForm({ user }: { user: ProfileUserFragment }) {
  const [name, setName] = useFollowing(user.displayName);
  const update = useCommand(UPDATE, { success: 'Your name is changed', quiet: true });
  const { retry } = useViewer();
  // Whoever looks is not the same record as the person; the shell has to ask again.
  async function save() {
    // As the server will keep it.
    setName(name.trim());
    if (await update.run({ input: { displayName: name.trim() } })) retry();
  }
  return (
    <Section title="You" explanation={user.email}>
      <Group component="form" align="flex-end" gap="sm" onSubmit={(event) => (event.preventDefault(), void save())}>
        <TextInput
          label="Name"
          description="What others see beside your decisions"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={update.error ? <CodeText>{describe(update.error)}</CodeText> : null}
          autoComplete="name"
          required
          flex="1 1 240px"
          maw={420}
        />
        <Button type="submit" loading={update.pending} disabled={name.trim() === '' || name === user.displayName}>
          Save
        </Button>
      </Group>
      <Group gap={6} mt="md" role="group" aria-label="Your roles and groups">
        {user.roles.map((role) => (
          <Badge key={role}>{roleLabel(role)}</Badge>
        ))}
        {user.groups.map(({ id, name: group }) => (
          <Badge key={id} color="gray">
            {group}
          </Badge>
        ))}
      </Group>
    </Section>
  );
}
