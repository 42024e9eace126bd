import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { PersonPicker } from '../../components/person-picker';
import { graphql } from '../../gql/documents';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { useCommand } from '../../lib/use-command';

const REASSIGN = graphql(`
  mutation ReassignCheckpoint($input: ReassignCheckpointInput!) {
    reassignCheckpoint(input: $input) {
      checkpoint {
        ...CheckpointDetail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface Props {
  checkpointId: string;
  opened: boolean;
  onClose: () => void;
}

export function ReassignDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Who should approve it instead?">
      {props.opened && <Choice {...props} />}
    </Modal>
  );
}

function Choice({ checkpointId, onClose }: Props) {
  const reassign = useCommand(REASSIGN, { quiet: true, success: 'Reassigned.' });
  // One field more than there are people: the last one is for the next person.
  const [people, setPeople] = useState<readonly string[]>([]);
  const [reason, setReason] = useState('');
  const put = (index: number, user: string | null) => {
    const changed = [...people.slice(0, index), ...(user === null ? [] : [user]), ...people.slice(index + 1)];
    setPeople([...new Set(changed)]);
  };

  async function send() {
    const done = await reassign.run({ input: { checkpointId, userIds: [...people], reason } });
    if (done !== null) onClose();
  }

  return (
    <Stack>
      <Text size="sm">Earlier approvals no longer count. The audit log records who you choose and why.</Text>
      {[...people, null].map((user, index) => (
        <PersonPicker
          key={user ?? 'next'}
          label={index === 0 ? 'Approver' : `Approver ${index + 1} (optional)`}
          among="APPROVER"
          value={user}
          onChange={(chosen) => put(index, chosen)}
          clearable
          nothingFoundMessage="No approver has this name or address."
        />
      ))}
      <Textarea label="Reason" required value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value)} maxLength={1000} autosize minRows={2} />
      {reassign.error && (
        <Text size="sm" c="red" role="alert">
          <CodeText>{describe(reassign.error)}</CodeText>
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={people.length === 0 || reason.trim() === ''} loading={reassign.pending} onClick={() => void send()}>
          Reassign
        </Button>
      </Group>
    </Stack>
  );
}
