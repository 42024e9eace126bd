import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import type { ServiceAccountRowFragment } from '../../../gql/types';
import { told } from '../../../lib/code-text';
import { describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';

const CREATE = graphql(`
  mutation CreateServiceAccount($input: CreateServiceAccountInput!) {
    createServiceAccount(input: $input) {
      serviceAccount {
        ...ServiceAccountRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const RENAME = graphql(`
  mutation RenameServiceAccount($input: RenameServiceAccountInput!) {
    renameServiceAccount(input: $input) {
      serviceAccount {
        ...ServiceAccountRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** A new service account, or with one, a new name for it. */
export function NameButton({ account, onChanged }: { account?: ServiceAccountRowFragment; onChanged: () => void }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [name, setName] = useState('');
  const create = useCommand(CREATE, { success: 'Created', quiet: true });
  const rename = useCommand(RENAME, { success: 'Renamed', quiet: true });
  const command = account === undefined ? create : rename;

  function start() {
    setName(account?.name ?? '');
    open();
  }

  function leave() {
    close();
    command.reset();
  }

  async function submit() {
    const done = account === undefined ? await create.run({ input: { name } }) : await rename.run({ input: { serviceAccountId: account.id, name } });
    if (!done) return;
    leave();
    onChanged();
  }

  return (
    <>
      {account === undefined ? (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={start}>
          New service account
        </Button>
      ) : (
        <Button size="compact-sm" variant="subtle" onClick={start}>
          Rename
        </Button>
      )}
      <Modal opened={opened} onClose={leave} title={account === undefined ? 'A new service account' : `Rename ${account.name}`}>
        <Stack component="form" onSubmit={(event) => (event.preventDefault(), void submit())}>
          <TextInput
            label="Name"
            description={account === undefined ? 'Policies name it by this' : 'Rules that name the old one do not mean it any more'}
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={command.error ? told(describe(command.error)) : null}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" loading={command.pending} disabled={name.trim() === ''}>
              {account === undefined ? 'Create' : 'Rename'}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
