import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { PersonPicker } from '../../components/person-picker';
import { CodeText } from '../../lib/code-text';
import { describe, type ApiError } from '../../lib/errors';
import { useViewer } from '../../lib/use-viewer';

interface Props {
  purpose: 'assign' | 'delegate' | null;
  pending: boolean;
  error: ApiError | null;
  onClose: () => void;
  onChoose: (userId: string) => Promise<void>;
}

const TITLES = { assign: 'Who should look at it?', delegate: 'Who may decide in your place?' };

export function PersonDialog(props: Props) {
  return (
    <Modal opened={props.purpose !== null} onClose={props.onClose} title={TITLES[props.purpose ?? 'assign']}>
      {props.purpose !== null && <Choice {...props} />}
    </Modal>
  );
}

function Choice({ purpose, pending, error, onClose, onChoose }: Props) {
  const { viewer } = useViewer();
  const [user, setUser] = useState<string | null>(null);
  return (
    <Stack>
      <Text size="sm">
        {purpose === 'assign' ? 'Others can decide all the same.' : 'For this checkpoint alone. Their decision counts as yours and theirs.'}
      </Text>
      <PersonPicker
        label="Person"
        among="APPROVER"
        value={user}
        onChange={setUser}
        except={purpose === 'delegate' ? viewer?.user?.id : undefined}
        nothingFoundMessage="Nobody with the role of an approver is called that."
        error={error ? <CodeText>{describe(error)}</CodeText> : undefined}
        data-autofocus
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={user === null} loading={pending} onClick={() => user !== null && void onChoose(user)}>
          {purpose === 'assign' ? 'Assign' : 'Delegate'}
        </Button>
      </Group>
    </Stack>
  );
}
