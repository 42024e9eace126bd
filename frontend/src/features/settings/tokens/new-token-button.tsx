import { Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import type { Role } from '../../../gql/enums';
import { CodeText, told } from '../../../lib/code-text';
import { CommandError, describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import { expiryOf, LIFETIMES } from '../model/expiry';
import { NO_LIMITS, restrictionsOf } from '../model/restrictions';
import { RolePicker } from '../role-picker';
import { ShownOnce } from '../shown-once';
import { OwnerPicker } from './owner-picker';
import { RestrictionFields } from './restriction-fields';

const CREATE = graphql(`
  mutation CreateApiToken($input: CreateApiTokenInput!) {
    createApiToken(input: $input) {
      secret
      apiToken {
        ...ApiTokenRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const EMPTY = { name: '', roles: ['OPERATOR'] as Role[], lifetime: '90', serviceAccountId: null as string | null, mayStop: false, limits: NO_LIMITS };

export function NewTokenButton({ onCreated }: { onCreated: () => void }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [form, setForm] = useState(EMPTY);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useCommand(CREATE, { quiet: true });
  const refused = create.error instanceof CommandError ? create.error.at('input', 'name') : undefined;
  const set = (changes: Partial<typeof EMPTY>) => setForm((before) => ({ ...before, ...changes }));

  async function submit() {
    const expiresAt = expiryOf(form.lifetime, Date.now());
    const restrictions = restrictionsOf(form.limits);
    const payload = await create.run({
      input: {
        name: form.name,
        roles: form.roles,
        ...(form.serviceAccountId === null ? {} : { serviceAccountId: form.serviceAccountId }),
        ...(form.mayStop ? { rights: ['EMERGENCY_STOP' as const] } : {}),
        ...(restrictions === null ? {} : { restrictions }),
        ...(expiresAt === null ? {} : { expiresAt }),
      },
    });
    if (!payload) return;
    setSecret(payload.secret);
    setForm(EMPTY);
    onCreated();
  }

  function leave() {
    close();
    setSecret(null);
    create.reset();
  }

  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        New token
      </Button>
      <Modal opened={opened} onClose={leave} title={secret === null ? 'A new API token' : 'Keep this token safe'} closeOnClickOutside={secret === null}>
        {secret === null ? (
          <Stack component="form" onSubmit={(event) => (event.preventDefault(), void submit())}>
            <TextInput label="Name" description="Which program uses it" required value={form.name} onChange={({ currentTarget }) => set({ name: currentTarget.value })} error={told(refused)} data-autofocus />
            <OwnerPicker value={form.serviceAccountId} onChange={(serviceAccountId) => set({ serviceAccountId })} />
            <RolePicker value={form.roles} onChange={(roles) => set({ roles })} />
            <Checkbox label="Can press the emergency stop" description="Whatever its roles. Lifting the stop needs an approver." checked={form.mayStop} onChange={({ currentTarget }) => set({ mayStop: currentTarget.checked })} />
            <RestrictionFields value={form.limits} onChange={(limits) => set({ limits })} />
            <Select label="Works for" allowDeselect={false} value={form.lifetime} onChange={(lifetime) => set({ lifetime: lifetime ?? '90' })} data={LIFETIMES.map((one) => ({ ...one }))} />
            {create.error && refused === undefined && <Text size="sm" c="var(--mantine-color-error)" role="alert"><CodeText>{describe(create.error)}</CodeText></Text>}
            <Group justify="flex-end">
              <Button variant="default" onClick={leave}>
                Cancel
              </Button>
              <Button type="submit" loading={create.pending} disabled={form.roles.length === 0 && !form.mayStop}>
                Create
              </Button>
            </Group>
          </Stack>
        ) : (
          <ShownOnce explanation="Copy it to where the program reads it. The server keeps only a hash, so it cannot be shown again." secret={secret} onDone={leave} />
        )}
      </Modal>
    </>
  );
}
