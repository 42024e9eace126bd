import { Card, Group, Text } from '@mantine/core';
import { IconLockPassword } from '@tabler/icons-react';
import { DataList } from '../../../components/data-list';
import { EmptyState } from '../../../components/empty-state';
import { RelativeTime } from '../../../components/relative-time';
import { graphql } from '../../../gql/documents';
import type { SecretRowFragment, SecretsQuery } from '../../../gql/types';
import { Plain } from '../../../lib/plain';
import { useConnection } from '../../../lib/use-connection';
import { useAdminChanges } from '../use-admin-changes';
import { SecretActions } from './secret-actions';
import { SetSecretButton } from './set-secret-button';

graphql(`
  fragment SecretRow on Secret {
    id
    name
    hosts
    agents
    updatedAt
    updatedBy {
      id
      displayName
    }
  }
`);

const SECRETS = graphql(`
  query Secrets($after: String) {
    secrets(first: 50, after: $after) {
      nodes {
        ...SecretRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const select = (data: SecretsQuery) => data.secrets;

export function Secrets() {
  const list = useConnection(SECRETS, {}, select);
  const refresh = () => void list.refresh();
  useAdminChanges(['SECRET_SET', 'SECRET_DELETED'], refresh);
  const actions = (row: SecretRowFragment) => <SecretActions secret={row} onChanged={refresh} />;
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          Keys that agents use, by name. Values are kept encrypted and are never shown; each goes to its own hosts only.
        </Text>
        <SetSecretButton onSet={refresh} />
      </Group>
      <DataList
        list={list}
        label="Secrets"
        columns={[
          { key: 'name', header: 'Name', width: 'minmax(0, 1fr)', cell: ({ name }) => <Text size="sm" fw={600} ff="monospace">{name}</Text> },
          { key: 'hosts', header: 'May be sent to', width: 'minmax(0, 1fr)', cell: (row) => <Hosts row={row} /> },
          { key: 'set', header: 'Set', width: '220px', cell: (row) => <Changed row={row} /> },
          { key: 'actions', header: 'Actions', width: '210px', align: 'end', cell: actions },
        ]}
        card={(row) => (
          <Card padding="sm">
            <Text size="sm" fw={600} ff="monospace">{row.name}</Text>
            <Hosts row={row} />
            <Changed row={row} />
            {actions(row)}
          </Card>
        )}
        empty={
          <EmptyState title="No secret yet" icon={IconLockPassword}>
            Set one, and agents can refer to it by its name instead of having it in their configuration.
          </EmptyState>
        }
      />
    </>
  );
}

/** To whom it may be sent, and by which agents. */
function Hosts({ row: { hosts, agents } }: { row: SecretRowFragment }) {
  if (hosts.length === 0) {
    return (
      <Text size="xs" c="red">
        Nowhere yet: say to which hosts it may be sent.
      </Text>
    );
  }
  return (
    <Text size="xs" component="div" style={{ overflowWrap: 'anywhere' }}>
      {hosts.join(', ')}
      {agents.length > 0 && <Text size="xs" c="dimmed">by {agents.join(', ')}</Text>}
    </Text>
  );
}

function Changed({ row }: { row: SecretRowFragment }) {
  return (
    <Text size="xs" c="dimmed" component="div">
      <RelativeTime at={row.updatedAt} />
      {row.updatedBy && <> by <Plain>{row.updatedBy.displayName}</Plain></>}
    </Text>
  );
}
