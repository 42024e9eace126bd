import { Anchor, Card, Text } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DataList, type Column } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import type { WorkflowRowFragment, WorkflowsQuery } from '../../gql/types';
import { useConnection } from '../../lib/use-connection';

graphql(`
  fragment WorkflowRow on Workflow {
    id
    name
    description
    updatedAt
    latestVersion {
      number
    }
  }
`);

const WORKFLOWS = graphql(`
  query Workflows($after: String) {
    workflows(first: 50, after: $after, filter: { archived: false }, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        ...WorkflowRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const select = (data: WorkflowsQuery) => data.workflows;

const COLUMNS: Column<WorkflowRowFragment>[] = [
  { key: 'name', header: 'Workflow', width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
  { key: 'version', header: 'Version', width: '110px', cell: ({ latestVersion }) => latestVersion?.number ?? 'Draft' },
  { key: 'changed', header: 'Changed', width: '160px', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
];

export function WorkflowsPage() {
  const list = useConnection(WORKFLOWS, {}, select);
  return (
    <>
      <PageHeader title="Workflows">What agents do, in which order, and where people are asked.</PageHeader>
      <DataList
        list={list}
        label="Workflows"
        columns={COLUMNS}
        card={(row) => (
          <Card>
            <Name row={row} />
          </Card>
        )}
        empty={
          <EmptyState title="No workflow yet" icon={IconSitemap}>
            Create one with the API, or ask an author of your workspace to do so.
          </EmptyState>
        }
      />
    </>
  );
}

function Name({ row }: { row: WorkflowRowFragment }) {
  return (
    <>
      <Anchor component={Link} to={`/workflows/${row.id}`} size="sm" fw={600} c="var(--mantine-color-text)">
        {row.name}
      </Anchor>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {row.description}
      </Text>
    </>
  );
}
