import { Card, Group, Text } from '@mantine/core';
import { IconLockPassword } from '@tabler/icons-react';
import { ConfirmButton } from '../../../components/confirm-button';
import { DataList } from '../../../components/data-list';
import { EmptyState } from '../../../components/empty-state';
import { RelativeTime } from '../../../components/relative-time';
import { graphql } from '../../../gql/documents';
import type { SecretRowFragment, SecretsQuery } from '../../../gql/types';
import { useCommand } from '../../../lib/use-command';
import { useConnection } from '../../../lib/use-connection';
import { useAdminChanges } from '../use-admin-changes';
import { SetSecretButton } from './set-secret-button';

graphql(`
  fragment SecretRow on Secret {
    id
    name
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

const DELETE = graphql(`
  mutation DeleteSecret($input: DeleteSecretInput!) {
    deleteSecret(input: $input) {
      deletedSecretId
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const select = (data: SecretsQuery) => data.secrets;

export function Secrets() {
  const list = useConnection(SECRETS, {}, select);
  const refresh = () => void list.refresh();
  useAdminChanges(['SECRET_SET', 'SECRET_DELETED'], refresh);
  const actions = (row: SecretRowFragment) => <Actions row={row} onChanged={refresh} />;
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          Keys that agents use, by name. Values are kept encrypted and are never shown.
        </Text>
        <SetSecretButton onSet={refresh} />
      </Group>
      <DataList
        list={list}
        label="Secrets"
        columns={[
          { key: 'name', header: 'Name', width: 'minmax(0, 1fr)', cell: ({ name }) => <Text size="sm" fw={600} ff="monospace">{name}</Text> },
          { key: 'set', header: 'Set', width: '220px', cell: (row) => <Changed row={row} /> },
          { key: 'actions', header: 'Actions', width: '210px', align: 'end', cell: actions },
        ]}
        card={(row) => (
          <Card padding="sm">
            <Text size="sm" fw={600} ff="monospace">{row.name}</Text>
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

function Changed({ row }: { row: SecretRowFragment }) {
  return (
    <Text size="xs" c="dimmed" component="div">
      <RelativeTime at={row.updatedAt} />
      {row.updatedBy && ` by ${row.updatedBy.displayName}`}
    </Text>
  );
}

function Actions({ row: { name }, onChanged }: { row: SecretRowFragment; onChanged: () => void }) {
  const remove = useCommand(DELETE, { success: 'Deleted' });
  return (
    <Group gap={4} justify="flex-end">
      <SetSecretButton name={name} onSet={onChanged} />
      <ConfirmButton
        size="compact-sm"
        variant="subtle"
        color="red"
        title={`Delete ${name}?`}
        explanation="Agents that refer to it fail until it is set again."
        confirmLabel="Delete"
        onConfirm={async () => {
          const payload = await remove.run({ input: { name } });
          if (payload) onChanged();
          return payload !== null;
        }}
      >
        Delete
      </ConfirmButton>
    </Group>
  );
}
