import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorState } from '../../../components/error-state';
import { LoadMore } from '../../../components/load-more';
import { PageSkeleton } from '../../../components/page-skeleton';
import { PersonPicker } from '../../../components/person-picker';
import { SearchField } from '../../../components/search-field';
import { graphql } from '../../../gql/documents';
import type { GroupMembersQuery, GroupRowFragment } from '../../../gql/types';
import { people } from '../../../lib/format';
import { Plain } from '../../../lib/plain';
import { useCommand } from '../../../lib/use-command';
import { useConnection } from '../../../lib/use-connection';
import { useDirectoryChanges } from '../../../lib/use-directory-changes';
import { useViewer } from '../../../lib/use-viewer';
import { Section } from '../section';
import classes from '../settings.module.css';

const MEMBERS = graphql(`
  query GroupMembers($after: String, $filter: UserFilter) {
    users(first: 50, after: $after, filter: $filter, orderBy: { field: DISPLAY_NAME, direction: ASC }) {
      nodes {
        id
        displayName
        email
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const select = (data: GroupMembersQuery) => data.users;

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

/** Above so many, one searches rather than reads. */
const MANY = 12;

export function GroupMembers({ group, onChanged }: { group: GroupRowFragment; onChanged: () => void }) {
  const { can } = useViewer();
  const [person, setPerson] = useState<string | null>(null);
  const add = useCommand(ADD);
  const remove = useCommand(REMOVE);
  const [text, setText] = useState('');
  const list = useConnection(MEMBERS, { filter: { groupId: group.id, ...(text === '' ? {} : { text }) } }, select);
  useDirectoryChanges(() => void list.refresh());

  function changed() {
    void list.refresh();
    onChanged();
  }

  async function put() {
    if (person === null || !(await add.run({ input: { groupId: group.id, userIds: [person] } }))) return;
    setPerson(null);
    changed();
  }

  return (
    <Section title="Members" explanation={people(group.memberCount)}>
      {can('ADMIN') && (
        <Group component="form" align="flex-end" mb="md" gap="sm" onSubmit={(event) => (event.preventDefault(), void put())}>
          <div style={{ flex: '1 1 240px', maxWidth: 420 }}>
            <PersonPicker label="Add somebody" value={person} onChange={setPerson} />
          </div>
          <Button type="submit" variant="default" loading={add.pending} disabled={person === null}>
            Add
          </Button>
        </Group>
      )}
      {group.memberCount > MANY && (
        <Group mb="md">
          <SearchField label="Search the members" value={text} onChange={(value) => setText(value ?? '')} />
        </Group>
      )}
      {list.status === 'loading' && <PageSkeleton />}
      {list.status === 'failed' && <ErrorState error={list.error} onRetry={() => void list.refresh()} />}
      {list.status === 'ready' && list.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {text === '' ? `Nobody is in it yet${can('ADMIN') ? ': search for a name above.' : '.'}` : 'None of its members is called that.'}
        </Text>
      )}
      {list.rows.map(({ id, displayName, email }) => (
        <div key={id} className={classes.line}>
          <div>
            <Text size="sm" fw={600}>
              <Plain>{displayName}</Plain>
            </Text>
            <Text size="xs" c="dimmed">
              {email}
            </Text>
          </div>
          {can('ADMIN') && (
            <Button size="xs" variant="default" aria-label={`Remove ${displayName}`} loading={remove.pending} onClick={async () => (await remove.run({ input: { groupId: group.id, userIds: [id] } })) && changed()}>
              Remove
            </Button>
          )}
        </div>
      ))}
      <LoadMore list={list}>Show more members</LoadMore>
    </Section>
  );
}
