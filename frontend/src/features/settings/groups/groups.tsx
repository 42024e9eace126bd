import { Anchor, Card, Group, Text } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DataList, type Column } from '../../../components/data-list';
import { EmptyState } from '../../../components/empty-state';
import { RelativeTime } from '../../../components/relative-time';
import { SearchField } from '../../../components/search-field';
import { graphql } from '../../../gql/documents';
import type { GroupRowFragment, GroupsQuery } from '../../../gql/types';
import { count } from '../../../lib/format';
import { Plain } from '../../../lib/plain';
import { useConnection } from '../../../lib/use-connection';
import { useDirectoryChanges } from '../../../lib/use-directory-changes';
import { useUrlFilters } from '../../../lib/use-url-filters';
import { useViewer } from '../../../lib/use-viewer';
import { GroupCard } from './group-card';
import { NewGroupButton } from './new-group-button';

graphql(`
  fragment GroupRow on Group {
    id
    name
    description
    memberCount
    createdAt
  }
`);

const GROUPS = graphql(`
  query Groups($after: String, $filter: GroupFilter) {
    groups(first: 50, after: $after, filter: $filter, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        ...GroupRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const select = (data: GroupsQuery) => data.groups;

const COLUMNS: Column<GroupRowFragment>[] = [
  { key: 'name', header: 'Group', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
  { key: 'members', header: 'Members', width: '110px', align: 'end', cell: ({ memberCount }) => count(memberCount) },
  { key: 'created', header: 'Created', width: '150px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

const parse = (params: URLSearchParams) => ({ open: params.get('group'), text: params.get('q') ?? '' });

/** Policies ask groups. One is opened by `?group=`. */
export function Groups() {
  const { can } = useViewer();
  const { filters, set, clear } = useUrlFilters(parse);
  const { open, text } = filters;
  const list = useConnection(GROUPS, { filter: text === '' ? {} : { text } }, select);
  const refresh = () => void list.refresh();
  useDirectoryChanges(refresh);
  if (open !== null) return <GroupCard key={open} id={open} onChanged={refresh} />;
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        Policies name groups: they are asked to approve, and told of what happens.
      </Text>
      <Group justify="space-between" mb="md" gap="sm">
        <SearchField label="Search groups" value={text} onChange={(q) => set({ q })} />
        {can('ADMIN') && <NewGroupButton onCreated={refresh} />}
      </Group>
      <DataList
        list={list}
        label="Groups"
        columns={COLUMNS}
        card={(row) => (
          <Card padding="sm">
            <Group justify="space-between" wrap="nowrap">
              <Name row={row} />
              <Text size="sm" c="dimmed" style={{ flex: 'none' }}>
                {row.memberCount === 1 ? '1 member' : `${count(row.memberCount)} members`}
              </Text>
            </Group>
          </Card>
        )}
        empty={
          text === '' ? (
            <EmptyState title="No group yet" icon={IconUsersGroup}>
              Make a group such as “finance”, and a policy can ask two of its members.
            </EmptyState>
          ) : (
            <EmptyState title="No group is called like that" icon={IconUsersGroup} action={{ label: 'Show everything', onClick: clear }}>
              A part of the name is enough.
            </EmptyState>
          )
        }
      />
    </>
  );
}

function Name({ row }: { row: GroupRowFragment }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Anchor component={Link} to={`?group=${row.id}`} size="sm" fw={600} c="var(--mantine-color-text)">
        <Plain>{row.name}</Plain>
      </Anchor>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {row.description}
      </Text>
    </div>
  );
}
