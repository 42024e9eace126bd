import { Box, Card, Group, Select, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { DataList } from '../../../components/data-list';
import { EmptyState } from '../../../components/empty-state';
import { SearchField } from '../../../components/search-field';
import { graphql } from '../../../gql/documents';
import type { Role } from '../../../gql/enums';
import type { MembersQuery } from '../../../gql/types';
import { people } from '../../../lib/format';
import { useConnection } from '../../../lib/use-connection';
import { useDirectoryChanges } from '../../../lib/use-directory-changes';
import { useUrlFilters } from '../../../lib/use-url-filters';
import { useViewer } from '../../../lib/use-viewer';
import { ROLES } from '../model/roles';
import { InviteButton } from './invite-button';
import { MemberActions } from './member-actions';
import { Badges, MEMBER_COLUMNS, Name } from './member-row';

const MEMBERS = graphql(`
  query Members($after: String, $filter: UserFilter) {
    users(first: 50, after: $after, filter: $filter, orderBy: { field: DISPLAY_NAME, direction: ASC }) {
      nodes {
        ...MemberRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const select = (data: MembersQuery) => data.users;
const parse = (params: URLSearchParams) => ({ text: params.get('q') ?? '', role: ROLES.find(({ role }) => role === params.get('role'))?.role ?? null });

export function Members() {
  const { can } = useViewer();
  const { filters, set } = useUrlFilters(parse);
  const filter = { ...(filters.text === '' ? {} : { text: filters.text }), ...(filters.role === null ? {} : { role: filters.role }) };
  const list = useConnection(MEMBERS, { filter }, select);
  const refresh = () => void list.refresh();
  useDirectoryChanges(refresh);
  const admin = can('ADMIN');
  return (
    <>
      <Group mb="md" gap="sm">
        <SearchField label="Search people" value={filters.text} onChange={(q) => set({ q })} />
        <Select
          aria-label="Role"
          placeholder="Any role"
          clearable
          flex="1 1 130px"
          maw={{ sm: 150 }}
          value={filters.role}
          onChange={(role) => set({ role: role as Role | null })}
          data={ROLES.map(({ role, label }) => ({ value: role, label }))}
        />
        {list.totalCount !== null && (
          <Text size="sm" c="dimmed">
            {people(list.totalCount)}
          </Text>
        )}
        {admin && (
          <Box ml="auto">
            <InviteButton onInvited={refresh} />
          </Box>
        )}
      </Group>
      <DataList
        list={list}
        label="Members"
        columns={[
          ...MEMBER_COLUMNS,
          ...(admin ? [{ key: 'actions', header: 'Actions', width: '90px', cell: (row: MembersQuery['users']['nodes'][number]) => <MemberActions member={row} onChanged={refresh} /> }] : []),
        ]}
        card={(row) => (
          <Card padding="sm">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Name row={row} />
              {admin && <MemberActions member={row} onChanged={refresh} />}
            </Group>
            <Badges row={row} />
          </Card>
        )}
        empty={
          <EmptyState title="Nobody fits" icon={IconUsers} action={{ label: 'Show everybody', onClick: () => set({ q: null, role: null }) }}>
            Search for another part of the name or the address.
          </EmptyState>
        }
      />
    </>
  );
}
