import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import { CodeText, told } from '../../../lib/code-text';
import { CommandError, describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';

const SET = graphql(`
  mutation SetSecret($input: SetSecretInput!) {
    setSecret(input: $input) {
      secret {
        ...SecretRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** A new secret, or with a name, a new value for one. */
export function SetSecretButton({ name: fixed, onSet }: { name?: string; onSet: () => void }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [name, setName] = useState(fixed ?? '');
  const [value, setValue] = useState('');
  const set = useCommand(SET, { success: 'The secret is set', quiet: true });
  const wrongName = set.error instanceof CommandError ? set.error.at('input', 'name') : undefined;

  async function submit() {
    if (!(await set.run({ input: { name, value } }))) return;
    leave();
    onSet();
  }

  function leave() {
    close();
    // Not a moment longer in memory than it takes.
    setValue('');
    setName(fixed ?? '');
    set.reset();
  }

  return (
    <>
      <Button onClick={open} {...(fixed === undefined ? {} : { size: 'compact-sm', variant: 'subtle' })}>
        {fixed === undefined ? 'Set a secret' : 'New value'}
      </Button>
      <Modal opened={opened} onClose={leave} title={fixed === undefined ? 'A secret' : `A new value for ${fixed}`}>
        <Stack component="form" onSubmit={(event) => (event.preventDefault(), void submit())}>
          {fixed === undefined && (
            <TextInput label="Name" required value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} error={told(wrongName)} autoComplete="off" data-autofocus />
          )}
          <PasswordInput label="Value" required value={value} onChange={({ currentTarget }) => setValue(currentTarget.value)} error={set.error && wrongName === undefined ? <CodeText>{describe(set.error)}</CodeText> : null} autoComplete="off" data-autofocus />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" loading={set.pending} disabled={name === '' || value === ''}>
              Set
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
