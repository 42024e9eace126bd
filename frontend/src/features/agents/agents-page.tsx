import { Badge, Card, Group, Text } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { DataList, type Column } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { RelativeTime } from '../../components/relative-time';
import { RiskBadge } from '../../components/risk-badge';
import { graphql } from '../../gql/documents';
import type { AgentRowFragment, AgentsQuery } from '../../gql/types';
import { words } from '../../lib/format';
import { useConnection } from '../../lib/use-connection';

graphql(`
  fragment AgentRow on Agent {
    id
    name
    description
    kind
    riskLevel
    version
    updatedAt
  }
`);

const AGENTS = graphql(`
  query Agents($after: String) {
    agents(first: 50, after: $after, filter: { archived: false }, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        ...AgentRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const select = (data: AgentsQuery) => data.agents;

const COLUMNS: Column<AgentRowFragment>[] = [
  { key: 'name', header: 'Agent', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
  { key: 'kind', header: 'Kind', width: '130px', cell: ({ kind }) => <Badge color="gray">{words(kind)}</Badge> },
  { key: 'risk', header: 'Risk', width: '150px', cell: ({ riskLevel }) => <RiskBadge level={riskLevel} /> },
  { key: 'changed', header: 'Changed', width: '150px', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
];

export function AgentsPage() {
  const list = useConnection(AGENTS, {}, select);
  return (
    <>
      <PageHeader title="Agents">The workers that the steps of workflows name.</PageHeader>
      <DataList
        list={list}
        label="Agents"
        columns={COLUMNS}
        card={(row) => (
          <Card>
            <Name row={row} />
            <Group mt="xs" gap="xs">
              <Badge color="gray">{words(row.kind)}</Badge>
              <RiskBadge level={row.riskLevel} />
            </Group>
          </Card>
        )}
        empty={
          <EmptyState title="No agent yet" icon={IconRobot}>
            Create one with the API; workflows can then use it by its name.
          </EmptyState>
        }
      />
    </>
  );
}

function Name({ row }: { row: AgentRowFragment }) {
  return (
    <>
      <Text span size="sm" fw={600}>
        {row.name}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {row.description}
      </Text>
    </>
  );
}
