import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { graphql } from '../../../gql/documents';
import { useCommand } from '../../../lib/use-command';
import { GroupForm } from './group-form';

const CREATE = graphql(`
  mutation CreateGroup($input: CreateGroupInput!) {
    createGroup(input: $input) {
      group {
        ...GroupRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function NewGroupButton({ onCreated }: { onCreated: () => void }) {
  const [opened, { open, close }] = useDisclosure(false);
  const create = useCommand(CREATE, { success: 'Created: open it to add people', quiet: true });
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        New group
      </Button>
      <Modal opened={opened} onClose={close} title="A new group">
        <GroupForm
          name=""
          description=""
          submitLabel="Create"
          pending={create.pending}
          error={create.error}
          onSubmit={async (input) => {
            if (!(await create.run({ input }))) return;
            close();
            onCreated();
          }}
        />
      </Modal>
    </>
  );
}
