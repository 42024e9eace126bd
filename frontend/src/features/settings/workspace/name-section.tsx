import { Button, Group, TextInput } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { WorkspaceSettingsFragment } from '../../../gql/types';
import { CodeText } from '../../../lib/code-text';
import { describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import { useFollowing } from '../../../lib/use-following';
import { Section } from '../section';

const UPDATE = graphql(`
  mutation UpdateWorkspace($input: UpdateWorkspaceInput!) {
    updateWorkspace(input: $input) {
      workspace {
        ...WorkspaceSettings
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function NameSection({ workspace }: { workspace: WorkspaceSettingsFragment }) {
  const [name, setName] = useFollowing(workspace.name);
  const update = useCommand(UPDATE, { success: 'Saved', quiet: true });
  function save() {
    // As the server will keep it.
    setName(name.trim());
    void update.run({ input: { name: name.trim() } });
  }
  return (
    <Section title="Workspace" explanation={`Its short name is ${workspace.slug}, and stays.`}>
      <Group component="form" align="flex-end" gap="sm" onSubmit={(event) => (event.preventDefault(), save())}>
        <TextInput label="Name" required value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} error={update.error ? <CodeText>{describe(update.error)}</CodeText> : null} flex="1 1 240px" maw={420} />
        <Button type="submit" loading={update.pending} disabled={name.trim() === '' || name === workspace.name}>
          Save
        </Button>
      </Group>
    </Section>
  );
}
