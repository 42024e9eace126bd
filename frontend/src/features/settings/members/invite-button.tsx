import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import type { Role } from '../../../gql/enums';
import { CodeText, told } from '../../../lib/code-text';
import { CommandError, describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import { RolePicker } from '../role-picker';
import { ShownOnce } from '../shown-once';

const INVITE = graphql(`
  mutation InviteUser($input: InviteUserInput!) {
    inviteUser(input: $input) {
      signInLink
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

const EMPTY = { email: '', displayName: '', roles: ['VIEWER', 'APPROVER'] as Role[] };

export function InviteButton({ onInvited }: { onInvited: () => void }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [form, setForm] = useState(EMPTY);
  const [link, setLink] = useState<string | null>(null);
  const invite = useCommand(INVITE, { quiet: true });
  const refused = invite.error instanceof CommandError ? invite.error : null;
  const set = (changes: Partial<typeof EMPTY>) => setForm((before) => ({ ...before, ...changes }));
  const named = refused?.at('input', 'email') ?? refused?.at('input', 'displayName') ?? refused?.at('input', 'roles');

  async function submit() {
    const { email, displayName, roles } = form;
    const payload = await invite.run({ input: { email, roles, ...(displayName.trim() === '' ? {} : { displayName }) } });
    if (!payload) return;
    setLink(payload.signInLink);
    setForm(EMPTY);
    onInvited();
  }

  function leave() {
    close();
    setLink(null);
    invite.reset();
  }

  return (
    <>
      <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
        Invite
      </Button>
      <Modal opened={opened} onClose={leave} title={link === null ? 'Invite somebody' : 'Send them this link'} closeOnClickOutside={link === null}>
        {link === null ? (
          <Stack component="form" onSubmit={(event) => (event.preventDefault(), void submit())}>
            <TextInput label="E-mail" type="email" required value={form.email} onChange={({ currentTarget }) => set({ email: currentTarget.value })} error={told(refused?.at('input', 'email'))} data-autofocus />
            <TextInput label="Name" description="The first part of the address when empty" value={form.displayName} onChange={({ currentTarget }) => set({ displayName: currentTarget.value })} error={told(refused?.at('input', 'displayName'))} />
            <RolePicker value={form.roles} onChange={(roles) => set({ roles })} error={told(refused?.at('input', 'roles'))} />
            {invite.error && named === undefined && <Text size="sm" c="var(--mantine-color-error)" role="alert"><CodeText>{describe(invite.error)}</CodeText></Text>}
            <Group justify="flex-end">
              <Button variant="default" onClick={leave}>
                Cancel
              </Button>
              <Button type="submit" loading={invite.pending} disabled={form.roles.length === 0}>
                Invite
              </Button>
            </Group>
          </Stack>
        ) : (
          <ShownOnce explanation="Whoever opens this link is signed in as this person. Send it to them alone; it works once." secret={link} onDone={leave} />
        )}
      </Modal>
    </>
  );
}
