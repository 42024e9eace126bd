import { Badge, Card, Group, Text } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { DataList, type Column } from '../../../components/data-list';
import { EmptyState } from '../../../components/empty-state';
import { RelativeTime } from '../../../components/relative-time';
import type { ServiceAccountRowFragment, ServiceAccountsQuery } from '../../../gql/types';
import { Plain } from '../../../lib/plain';
import { useConnection } from '../../../lib/use-connection';
import { useAdminChanges } from '../use-admin-changes';
import { NameButton } from './name-button';
import { SERVICE_ACCOUNTS } from './query';
import { ServiceAccountActions } from './service-account-actions';

type Row = ServiceAccountRowFragment;
const select = (data: ServiceAccountsQuery) => data.serviceAccounts;

export function ServiceAccounts() {
  const list = useConnection(SERVICE_ACCOUNTS, {}, select);
  const refresh = () => void list.refresh();
  useAdminChanges(['SERVICE_ACCOUNT_CREATED', 'SERVICE_ACCOUNT_RENAMED', 'SERVICE_ACCOUNT_DISABLED', 'SERVICE_ACCOUNT_ENABLED'], refresh);
  const columns: Column<Row>[] = [
    { key: 'name', header: 'Name', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
    { key: 'made', header: 'Made', width: '140px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { key: 'actions', header: 'Actions', width: '200px', align: 'end', cell: (row) => <ServiceAccountActions account={row} onChanged={refresh} /> },
  ];
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          Programs under names of their own. All tokens of one are one identity, and none of them is a person: they approve only where a rule names them, as in “1 of service_account:deploy-bot”.
        </Text>
        <NameButton onChanged={refresh} />
      </Group>
      <DataList
        list={list}
        label="Service accounts"
        columns={columns}
        card={(row) => (
          <Card padding="sm">
            <Name row={row} />
            <ServiceAccountActions account={row} onChanged={refresh} />
          </Card>
        )}
        empty={
          <EmptyState title="No service account yet" icon={IconRobot}>
            Make one for each program, and give it tokens of its own.
          </EmptyState>
        }
      />
    </>
  );
}

function Name({ row }: { row: Row }) {
  return (
    <Text size="sm" fw={600} component="div" style={{ overflowWrap: 'anywhere' }}>
      <Plain>{row.name}</Plain> {row.disabledAt !== null && <Badge color="gray">Disabled</Badge>}
    </Text>
  );
}
