import { Menu, Modal } from '@mantine/core';
import { IconDevices, IconEraser, IconLink, IconLock, IconLockOpen, IconShield } from '@tabler/icons-react';
import { useState } from 'react';
import type { MemberRowFragment } from '../../../gql/types';
import { useViewer } from '../../../lib/use-viewer';
import { ShownOnce } from '../shown-once';
import { Ask } from './ask';
import { DotsButton } from './dots-button';
import { MemberAccess } from './member-access';
import { RolesForm } from './roles-form';
import { useMemberCommands } from './use-member-commands';

type Open = 'roles' | 'link' | 'access' | 'disable' | 'erase' | null;

interface Props {
  member: MemberRowFragment;
  onChanged: () => void;
}

/** What an administrator can do for, or to, somebody. */
export function MemberMenu({ member, onChanged }: Props) {
  const { viewer } = useViewer();
  const [open, setOpen] = useState<Open>(null);
  const [link, setLink] = useState<string | null>(null);
  const { makeLink, disable, enable, erase } = useMemberCommands(member.id, onChanged);
  const self = viewer?.user?.id === member.id;
  const name = member.displayName;
  const close = () => {
    setOpen(null);
    setLink(null);
  };

  return (
    <>
      <Menu defaultOpened>
        <Menu.Target>
          <DotsButton name={name} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconShield size={16} />} onClick={() => setOpen('roles')}>
            Change roles
          </Menu.Item>
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => setOpen('link')} disabled={member.status === 'DISABLED'}>
            New sign-in link
          </Menu.Item>
          <Menu.Item leftSection={<IconDevices size={16} />} onClick={() => setOpen('access')}>
            Sessions and identities
          </Menu.Item>
          <Menu.Divider />
          {member.status === 'DISABLED' ? (
            <Menu.Item leftSection={<IconLockOpen size={16} />} onClick={() => void enable()}>
              Let in again
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLock size={16} />} color="red" disabled={self} onClick={() => setOpen('disable')}>
              Lock out
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconEraser size={16} />} color="red" disabled={self} onClick={() => setOpen('erase')}>
            Erase personal data
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'roles'} onClose={close} title={`What ${name} may do`}>
        <RolesForm member={member} onDone={() => (close(), onChanged())} onCancel={close} />
      </Modal>
      <Modal opened={open === 'access'} onClose={close} title={`How ${name} comes in`} size="lg">
        <MemberAccess userId={member.id} name={name} />
      </Modal>
      <Modal opened={open === 'link' && link !== null} onClose={close} title={`A sign-in link for ${name}`} closeOnClickOutside={false}>
        <ShownOnce explanation="Whoever opens this link is signed in as this person. Send it to them alone; it works once." secret={link ?? ''} onDone={close} />
      </Modal>
      <Ask opened={open === 'link' && link === null} onClose={close} title={`Make a sign-in link for ${name}?`} confirmLabel="Make it" onConfirm={async () => setLink(await makeLink())}>
        Links that were made before and not used yet still work until they expire.
      </Ask>
      <Ask opened={open === 'disable'} onClose={close} title={`Lock ${name} out?`} confirmLabel="Lock out" danger onConfirm={async () => (await disable()) && close()}>
        Sessions, links and open connections end at once. What they decided stays, and you can let them in again.
      </Ask>
      <Ask opened={open === 'erase'} onClose={close} title={`Erase everything personal of ${name}?`} confirmLabel="Erase for ever" danger onConfirm={async () => (await erase()) && close()}>
        Their name, addresses and comments are gone for ever, in the audit log as well, which still proves that nothing else was changed. This cannot be undone.
      </Ask>
    </>
  );
}
