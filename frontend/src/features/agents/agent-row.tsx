import { Anchor, Badge, Card, Group, Text } from '@mantine/core';
import type { Column } from '../../components/data-list';
import { RelativeTime } from '../../components/relative-time';
import { RiskBadge } from '../../components/risk-badge';
import { graphql } from '../../gql/documents';
import type { AgentRowFragment } from '../../gql/types';
import { Plain } from '../../lib/plain';
import { KINDS } from './model/kinds';

graphql(`
  fragment AgentRow on Agent {
    id
    name
    description
    kind
    operationType
    riskLevel
    version
    updatedAt
    archivedAt
  }
`);

type Open = (id: string) => void;

export function columns(onOpen: Open): Column<AgentRowFragment>[] {
  return [
    { key: 'name', header: 'Agent', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} onOpen={onOpen} /> },
    { key: 'kind', header: 'Kind', width: '120px', cell: ({ kind }) => <Badge color="gray">{KINDS[kind]?.label ?? kind}</Badge> },
    { key: 'risk', header: 'Risk', width: '150px', cell: ({ riskLevel }) => <RiskBadge level={riskLevel} /> },
    { key: 'operation', header: 'Operation', width: '170px', cell: ({ operationType }) => operationType ?? '–' },
    { key: 'version', header: 'Version', width: '90px', align: 'end', cell: ({ version }) => version },
    { key: 'changed', header: 'Changed', width: '140px', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ];
}

function Name({ row, onOpen }: { row: AgentRowFragment; onOpen: Open }) {
  return (
    <>
      <Anchor component="button" type="button" size="sm" fw={600} c="var(--mantine-color-text)" ta="left" onClick={() => onOpen(row.id)}>
        <Plain>{row.name}</Plain>
      </Anchor>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {row.description}
      </Text>
    </>
  );
}

export function AgentCard({ row, onOpen }: { row: AgentRowFragment; onOpen: Open }) {
  return (
    <Card>
      <Name row={row} onOpen={onOpen} />
      <Group mt="xs" gap="xs">
        <Badge color="gray">{KINDS[row.kind]?.label ?? row.kind}</Badge>
        <RiskBadge level={row.riskLevel} />
        <Text size="xs" c="dimmed">
          {[row.operationType, `version ${row.version}`].filter(Boolean).join(' · ')}
        </Text>
      </Group>
    </Card>
  );
}
