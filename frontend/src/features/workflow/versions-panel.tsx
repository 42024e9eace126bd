import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button';
import { EmptyState } from '../../components/empty-state';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import type { WorkflowDetailFragment } from '../../gql/types';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import { VersionDiff } from './version-diff';

const RESTORE = graphql(`
  mutation RestoreWorkflowVersion($input: RestoreWorkflowVersionInput!) {
    restoreWorkflowVersion(input: $input) {
      workflow {
        ...WorkflowDetail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

type Version = WorkflowDetailFragment['versions']['nodes'][number];

/** All versions, the newest first, each with what it changed. */
export function VersionsPanel({ workflow }: { workflow: WorkflowDetailFragment }) {
  const { nodes, totalCount } = workflow.versions;
  const [open, setOpen] = useState<number | null>(null);
  if (nodes.length === 0) {
    return <EmptyState title="No version yet">There is only a draft. Save it as a version to run it.</EmptyState>;
  }
  return (
    <Stack gap="sm">
      {nodes.map((version) => (
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
      {totalCount > nodes.length && <Text size="sm" c="dimmed">and {totalCount - nodes.length} older versions</Text>}
    </Stack>
  );
}

function Title({ version, latest }: { version: Version; latest: boolean }) {
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
  const restore = useCommand(RESTORE, { success: `Version ${number} is back, as the newest version.` });
  const latest = workflow.latestVersion?.number;
  if (!can('AUTHOR') || workflow.archivedAt || latest === undefined || number === latest) return null;
  return (
    <ConfirmButton
      size="xs"
      variant="subtle"
      color="brand"
      title={`Bring version ${number} back?`}
      explanation="A new version is made with its document, which is checked against today's agents. The versions between stay, and so does a draft."
      confirmLabel="Bring back"
      onConfirm={async () => (await restore.run({ input: { workflowId: workflow.id, version: number, baseVersion: latest } })) !== null}
    >
      Bring back
    </ConfirmButton>
  );
}
