import { Badge, Card, Group, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { DataList, type Column } from '../../../components/data-list';
import { EmptyState } from '../../../components/empty-state';
import { RelativeTime } from '../../../components/relative-time';
import { graphql } from '../../../gql/documents';
import type { ApiTokenRowFragment, ApiTokensQuery } from '../../../gql/types';
import { Plain } from '../../../lib/plain';
import { useConnection } from '../../../lib/use-connection';
import { useLive } from '../../../lib/use-live';
import { restrictionsInWords } from '../model/restrictions';
import { roleLabel } from '../model/roles';
import { NewTokenButton } from './new-token-button';
import { RevokeButton } from './revoke-button';

graphql(`
  fragment ApiTokenRow on ApiToken {
    id
    name
    roles
    status
    createdAt
    expiresAt
    lastUsedAt
    createdBy {
      id
      displayName
    }
    user {
      id
      displayName
    }
    serviceAccount {
      id
      name
    }
    rights
    restrictions {
      operationTypes
      workflows {
        id
        name
      }
      agents {
        id
        name
      }
      queues
    }
  }
`);

const TOKENS = graphql(`
  query ApiTokens($after: String) {
    apiTokens(first: 50, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      nodes {
        ...ApiTokenRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

/** A token that is used or taken back is the same row, which the cache changes by itself. */
const CHANGES = graphql(`
  subscription ApiTokenChanges($after: String) {
    apiTokenEvents(after: $after) {
      cursor
      type
      apiToken {
        ...ApiTokenRow
      }
    }
  }
`);

type Row = ApiTokenRowFragment;

const STATUS: Record<Row['status'], string> = { ACTIVE: 'Active', EXPIRED: 'Expired', REVOKED: 'Revoked', OWNER_DISABLED: 'Owner disabled' };

/** The roles, and what it may beside them. */
const rolesOf = ({ roles, rights }: Row): string => [...roles.map(roleLabel), ...rights.map(() => 'Emergency stop')].join(', ');

const select = (data: ApiTokensQuery) => data.apiTokens;

const COLUMNS: Column<Row>[] = [
  { key: 'name', header: 'Token', width: 'minmax(0, 1.4fr)', cell: (row) => <Name row={row} /> },
  { key: 'owner', header: 'Belongs to', width: 'minmax(0, 0.8fr)', cell: (row) => <Owner row={row} /> },
  { key: 'roles', header: 'Roles', width: 'minmax(0, 1fr)', cell: (row) => <May row={row} /> },
  { key: 'used', header: 'Last used', width: '130px', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />) },
  { key: 'ends', header: 'Ends', width: '130px', cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <RelativeTime at={expiresAt} />) },
  { key: 'actions', header: 'Actions', width: '110px', align: 'end', cell: (row) => <RevokeButton token={row} /> },
];

export function Tokens() {
  const list = useConnection(TOKENS, {}, select);
  const refresh = () => void list.refresh();
  // A new one may have been used before anybody heard of it.
  const known = new Set(list.rows.map(({ id }) => id));
  useLive(CHANGES, {}, {
    onEvent: ({ apiTokenEvents: { apiToken } }) => {
      if (!known.has(apiToken.id)) refresh();
    },
    onGap: refresh,
  });
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          For programs: workers that claim tasks, agents that ask for approval, dashboards.
        </Text>
        <NewTokenButton onCreated={refresh} />
      </Group>
      <DataList
        list={list}
        label="API tokens"
        columns={COLUMNS}
        card={(row) => (
          <Card padding="sm">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Name row={row} />
              <RevokeButton token={row} />
            </Group>
            <Text size="xs" c="dimmed" mt={4} component="div">
              <Owner row={row} />
            </Text>
            <Text size="xs" c="dimmed" mt={4} component="div">
              {rolesOf(row)} · {row.lastUsedAt === null ? 'never used' : <>used <RelativeTime at={row.lastUsedAt} /></>}
              {row.expiresAt !== null && <> · ends <RelativeTime at={row.expiresAt} /></>}
            </Text>
            <Restrictions row={row} />
          </Card>
        )}
        empty={
          <EmptyState title="No token yet" icon={IconKey}>
            Make one for each program, with no more roles than it needs. You can take each back alone.
          </EmptyState>
        }
      />
    </>
  );
}

function Name({ row }: { row: Row }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={600} component="div">
        <Plain>{row.name}</Plain> {row.status !== 'ACTIVE' && <Badge color="gray">{STATUS[row.status]}</Badge>}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        Made <RelativeTime at={row.createdAt} />
        {row.createdBy && <> by <Plain>{row.createdBy.displayName}</Plain></>}
      </Text>
    </div>
  );
}

function Owner({ row }: { row: Row }) {
  if (row.serviceAccount) return <><Plain>{row.serviceAccount.name}</Plain> (service account)</>;
  return <>{row.user?.displayName ?? 'Nobody'}</>;
}

function May({ row }: { row: Row }) {
  return (
    <div style={{ minWidth: 0 }}>
      {rolesOf(row)}
      <Restrictions row={row} />
    </div>
  );
}

function Restrictions({ row }: { row: Row }) {
  return restrictionsInWords(row.restrictions).map((line) => (
    <Text key={line} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {line}
    </Text>
  ));
}
