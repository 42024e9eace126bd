import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { PersonPicker } from '../../../components/person-picker';
import { graphql } from '../../../gql/documents';
import type { GroupMembersFragment } from '../../../gql/types';
import { useCommand } from '../../../lib/use-command';
import { useViewer } from '../../../lib/use-viewer';
import { Section } from '../section';
import classes from '../settings.module.css';

graphql(`
  fragment GroupMembers on Group {
    id
    memberCount
    members(first: 100) {
      nodes {
        id
        displayName
        email
      }
    }
  }
`);

const ADD = graphql(`
  mutation AddGroupMembers($input: AddGroupMembersInput!) {
    addGroupMembers(input: $input) {
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

const REMOVE = graphql(`
  mutation RemoveGroupMembers($input: RemoveGroupMembersInput!) {
    removeGroupMembers(input: $input) {
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

export function GroupMembers({ group, onChanged }: { group: GroupMembersFragment; onChanged: () => void }) {
  const { can } = useViewer();
  const [person, setPerson] = useState<string | null>(null);
  const add = useCommand(ADD);
  const remove = useCommand(REMOVE);
  const members = group.members.nodes;

  async function put() {
    if (person === null || !(await add.run({ input: { groupId: group.id, userIds: [person] } }))) return;
    setPerson(null);
    onChanged();
  }

  return (
    <Section title="Members" explanation={members.length < group.memberCount ? `The first ${members.length} of ${group.memberCount}` : undefined}>
      {can('ADMIN') && (
        <Group component="form" align="flex-end" mb="md" gap="sm" onSubmit={(event) => (event.preventDefault(), void put())}>
          <div style={{ flex: '1 1 240px', maxWidth: 420 }}>
            <PersonPicker key={members.length} label="Add somebody" value={person} onChange={setPerson} />
          </div>
          <Button type="submit" variant="default" loading={add.pending} disabled={person === null}>
            Add
          </Button>
        </Group>
      )}
      {members.length === 0 && <Text size="sm" c="dimmed">Nobody is in it yet{can('ADMIN') ? ': search for a name above.' : '.'}</Text>}
      {members.map(({ id, displayName, email }) => (
        <div key={id} className={classes.line}>
          <div>
            <Text size="sm" fw={600}>
              {displayName}
            </Text>
            <Text size="xs" c="dimmed">
              {email}
            </Text>
          </div>
          {can('ADMIN') && (
            <Button size="xs" variant="default" aria-label={`Remove ${displayName}`} loading={remove.pending} onClick={async () => (await remove.run({ input: { groupId: group.id, userIds: [id] } })) && onChanged()}>
              Remove
            </Button>
          )}
        </div>
      ))}
    </Section>
  );
}
