import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import type { WorkspaceSettingsFragment } from '../../../gql/types';
import { describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
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
  const [name, setName] = useState(workspace.name);
  const update = useCommand(UPDATE, { success: 'Saved', quiet: true });
  return (
    <Section title="Workspace" explanation={`Its short name is ${workspace.slug}, and stays.`}>
      <Group component="form" align="flex-end" gap="sm" onSubmit={(event) => (event.preventDefault(), void update.run({ input: { name } }))}>
        <TextInput label="Name" required value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} error={update.error ? describe(update.error) : null} flex="1 1 240px" maw={420} />
        <Button type="submit" loading={update.pending} disabled={name.trim() === '' || name === workspace.name}>
          Save
        </Button>
      </Group>
    </Section>
  );
}
