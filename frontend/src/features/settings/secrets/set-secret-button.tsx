import { Alert, Button, Group, Modal, PasswordInput, Stack, TagsInput, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import type { SecretRowFragment } from '../../../gql/types';
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

const FIELDS = ['name', 'value', 'hosts', 'agents'] as const;

/** A new secret, or with one, a new value for it and other hosts. */
export function SetSecretButton({ secret, onSet }: { secret?: SecretRowFragment; onSet: () => void }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState<string[]>([...(secret?.hosts ?? [])]);
  const [agents, setAgents] = useState<string[]>([...(secret?.agents ?? [])]);
  const set = useCommand(SET, { success: 'The secret is set', quiet: true });
  const wrong = (field: (typeof FIELDS)[number]) => (set.error instanceof CommandError ? set.error.at('input', field) : undefined);
  const elsewhere = set.error !== null && FIELDS.every((field) => wrong(field) === undefined);

  async function submit() {
    if (!(await set.run({ input: { name, value: value === '' ? null : value, hosts, agents } }))) return;
    leave();
    onSet();
  }

  function leave() {
    close();
    // Not a moment longer in memory than it takes.
    setValue('');
    if (secret === undefined) {
      setName('');
      setHosts([]);
      setAgents([]);
    }
    set.reset();
  }

  return (
    <>
      <Button onClick={open} {...(secret === undefined ? {} : { size: 'compact-sm', variant: 'subtle' })}>
        {secret === undefined ? 'Set a secret' : 'Change'}
      </Button>
      <Modal opened={opened} onClose={leave} title={secret === undefined ? 'A secret' : `Change ${secret.name}`}>
        <Stack component="form" onSubmit={(event) => (event.preventDefault(), void submit())}>
          {secret === undefined && (
            <TextInput label="Name" required value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} error={told(wrong('name'))} autoComplete="off" data-autofocus />
          )}
          <PasswordInput
            label="Value"
            required={secret === undefined}
            {...(secret === undefined ? {} : { description: 'Empty: it stays as it is.' })}
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            error={told(wrong('value'))}
            autoComplete="off"
            data-autofocus
          />
          <TagsInput
            label="Hosts"
            required
            description="To whom it may be sent: api.example.com, *.example.com or api.example.com:8443. Without a port it is 443."
            value={hosts}
            onChange={setHosts}
            error={told(wrong('hosts'))}
            acceptValueOnBlur
          />
          <TagsInput label="Agents" description="Which agents may send it, by name; none: any agent." value={agents} onChange={setAgents} error={told(wrong('agents'))} acceptValueOnBlur />
          {elsewhere && set.error && (
            <Alert color="red" role="alert">
              <CodeText>{describe(set.error)}</CodeText>
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" loading={set.pending} disabled={name === '' || hosts.length === 0 || (secret === undefined && value === '')}>
              Set
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
