import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { LoadMore } from '../../components/load-more';
import { PageSkeleton } from '../../components/page-skeleton';
import { RelativeTime } from '../../components/relative-time';
import { showWaitsForReview } from '../../components/waits-for-review';
import { graphql } from '../../gql/documents';
import type { WorkflowDetailFragment, WorkflowVersionRowFragment, WorkflowVersionsQuery } from '../../gql/types';
import { NO_ROWS, numbered } from '../../lib/numbered';
import { showSuccess } from '../../lib/notify';
import { useCommand } from '../../lib/use-command';
import { useConnection } from '../../lib/use-connection';
import { useLibraryChanges } from '../../lib/use-library-changes';
import { useViewer } from '../../lib/use-viewer';
import { VersionDiff } from './version-diff';

graphql(`
  fragment WorkflowVersionRow on WorkflowVersion {
    number
    createdAt
    createdBy {
      displayName
    }
    restoredFrom {
      number
    }
  }
`);

const VERSIONS = graphql(`
  query WorkflowVersions($id: ID!, $after: String) {
    node(id: $id) {
      id
      ... on Workflow {
        versions(first: 50, after: $after) {
          nodes {
            ...WorkflowVersionRow
          }
          pageInfo {
            hasNextPage
            endCursor
          }
          totalCount
        }
      }
    }
  }
`);

const select = ({ node }: WorkflowVersionsQuery) => (node && 'versions' in node ? numbered(node.versions) : NO_ROWS);

const RESTORE = graphql(`
  mutation RestoreWorkflowVersion($input: RestoreWorkflowVersionInput!) {
    restoreWorkflowVersion(input: $input) {
      workflow {
        ...WorkflowDetail
      }
      review {
        id
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** All versions, the newest first, each with what it changed. */
export function VersionsPanel({ workflow }: { workflow: WorkflowDetailFragment }) {
  const list = useConnection(VERSIONS, { id: workflow.id }, select);
  useLibraryChanges('workflow', () => void list.refresh(), workflow.id);
  const [open, setOpen] = useState<number | null>(null);
  if (list.status === 'loading') return <PageSkeleton />;
  if (list.status === 'failed') return <ErrorState error={list.error} onRetry={() => void list.refresh()} />;
  if (list.rows.length === 0) {
    return <EmptyState title="No version yet">There is only a draft. Save it as a version to run it.</EmptyState>;
  }
  return (
    <Stack gap="sm">
      {list.rows.map((version) => (
        <Card key={version.number} component="section" aria-label={`Version ${version.number}`}>
          <Group justify="space-between" gap="xs">
            <Title version={version} latest={version.number === workflow.latestVersion?.number} />
            <Group gap="xs">
              {version.number > 1 && (
                <Button size="xs" variant="default" aria-expanded={open === version.number} onClick={() => setOpen(open === version.number ? null : version.number)}>
                  {open === version.number ? 'Hide the changes' : 'What changed'}
                </Button>
              )}
              <Restore workflow={workflow} number={version.number} />
            </Group>
          </Group>
          {open === version.number && <VersionDiff workflowId={workflow.id} to={version.number} />}
        </Card>
      ))}
      <LoadMore list={list}>Show older versions</LoadMore>
    </Stack>
  );
}

function Title({ version, latest }: { version: WorkflowVersionRowFragment; latest: boolean }) {
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>Version {version.number}</Text>
        {latest && <Badge>Runs</Badge>}
        {version.restoredFrom && <Badge color="gray">From version {version.restoredFrom.number}</Badge>}
      </Group>
      <Text size="xs" c="dimmed" component="div">
        Saved <RelativeTime at={version.createdAt} />
        {version.createdBy.displayName ? ` by ${version.createdBy.displayName}` : ''}
      </Text>
    </div>
  );
}

function Restore({ workflow, number }: { workflow: WorkflowDetailFragment; number: number }) {
  const { can } = useViewer();
  const restore = useCommand(RESTORE);
  const latest = workflow.latestVersion?.number;
  if (!can('AUTHOR') || workflow.archivedAt || latest === undefined || number === latest) return null;

  async function bringBack(baseVersion: number): Promise<boolean> {
    const payload = await restore.run({ input: { workflowId: workflow.id, version: number, baseVersion } });
    if (!payload) return false;
    if (payload.review) showWaitsForReview(payload.review);
    else showSuccess(`Version ${number} is back, as the newest version.`);
    return true;
  }

  return (
    <ConfirmButton
      size="xs"
      variant="subtle"
      color="brand"
      title={`Bring version ${number} back?`}
      explanation="A new version is made with its document, which is checked against today's agents. The versions between stay, and so does a draft."
      confirmLabel="Bring back"
      onConfirm={() => bringBack(latest)}
    >
      Bring back
    </ConfirmButton>
  );
}
