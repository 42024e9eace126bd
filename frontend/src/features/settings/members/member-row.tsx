import { Badge, Group, Text } from '@mantine/core';
import type { Column } from '../../../components/data-list';
import { RelativeTime } from '../../../components/relative-time';
import { graphql } from '../../../gql/documents';
import type { MemberRowFragment } from '../../../gql/types';
import { Plain } from '../../../lib/plain';
import { roleLabel } from '../model/roles';

graphql(`
  fragment MemberRow on User {
    id
    displayName
    email
    roles
    status
    lastSignInAt
    groups {
      id
      name
    }
    outOfOffice {
      startsAt
      endsAt
      delegate {
        id
        displayName
      }
    }
  }
`);

type Row = MemberRowFragment;

export const MEMBER_COLUMNS: Column<Row>[] = [
  { key: 'name', header: 'Name', width: 'minmax(0, 1.7fr)', cell: (row) => <Name row={row} /> },
  { key: 'roles', header: 'Roles and groups', width: 'minmax(0, 1.4fr)', cell: (row) => <Badges row={row} /> },
  { key: 'seen', header: 'Last sign-in', width: '140px', cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'Never' : <RelativeTime at={lastSignInAt} />) },
];

export function Name({ row }: { row: Row }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={600} component="div">
        <Plain>{row.displayName}</Plain>{' '}
        {row.status === 'DISABLED' && <Badge color="red">Locked out</Badge>}
        {row.status === 'INVITED' && <Badge color="yellow">Invited</Badge>}
        {row.outOfOffice && <Badge color="blue">Away</Badge>}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {row.email}
      </Text>
    </div>
  );
}

export function Badges({ row }: { row: Row }) {
  return (
    <Group gap={4} mt={2}>
      {row.roles.map((role) => (
        <Badge key={role} size="sm">
          {roleLabel(role)}
        </Badge>
      ))}
      {row.groups.map(({ id, name }) => (
        <Badge key={id} size="sm" color="gray">
          <Plain>{name}</Plain>
        </Badge>
      ))}
    </Group>
  );
}
