import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../gql/documents';
import { describe, type ApiError } from '../../lib/errors';
import { useViewer } from '../../lib/use-viewer';

const APPROVERS = graphql(`
  query CheckpointApprovers($text: String) {
    users(first: 50, filter: { role: APPROVER, disabled: false, text: $text }) {
      nodes {
        id
        displayName
        email
      }
    }
  }
`);

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
  const [text, setText] = useState('');
  const [user, setUser] = useState<string | null>(null);
  const [search] = useDebouncedValue(text, 200);
  const [{ data, fetching }] = useQuery({ query: APPROVERS, variables: { text: search === '' ? null : search } });
  const people = (data?.users.nodes ?? []).filter(({ id }) => purpose === 'assign' || id !== viewer?.user?.id);
  return (
    <Stack>
      <Text size="sm">
        {purpose === 'assign' ? 'Others can decide all the same.' : 'For this checkpoint alone. Their decision counts as yours and theirs.'}
      </Text>
      <Select
        label="Person"
        placeholder="Name or e-mail address"
        data={people.map(({ id, displayName, email }) => ({ value: id, label: `${displayName} (${email})` }))}
        value={user}
        onChange={setUser}
        // The server has searched already.
        filter={({ options }) => options}
        onSearchChange={setText}
        nothingFoundMessage={fetching ? 'Looking…' : 'Nobody with the role of an approver is called that.'}
        error={error ? describe(error) : undefined}
        searchable
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
