import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArchive, IconFlask, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ConfirmButton } from '../../components/confirm-button';
import { graphql } from '../../gql/documents';
import type { ExecutionMode } from '../../gql/enums';
import type { WorkflowDetailFragment } from '../../gql/types';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import { RunDialog } from './run-dialog';

const ARCHIVE = graphql(`
  mutation ArchiveWorkflow($input: ArchiveWorkflowInput!) {
    archiveWorkflow(input: $input) {
      workflow {
        id
        archivedAt
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const RESTORE = graphql(`
  mutation UnarchiveWorkflow($input: UnarchiveWorkflowInput!) {
    unarchiveWorkflow(input: $input) {
      workflow {
        id
        archivedAt
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function WorkflowActions({ workflow }: { workflow: WorkflowDetailFragment }) {
  const { can } = useViewer();
  const [mode, setMode] = useState<ExecutionMode>('LIVE');
  const [opened, { open, close }] = useDisclosure(false);
  const runnable = can('OPERATOR') && workflow.latestVersion && !workflow.archivedAt;
  const run = (next: ExecutionMode) => {
    setMode(next);
    open();
  };
  return (
    <>
      <Button component={Link} to={`/executions?workflow=${workflow.id}`} variant="default">
        Executions
      </Button>
      {can('AUTHOR') && <Archive workflow={workflow} />}
      {runnable && (
        <>
          <Button variant="default" leftSection={<IconFlask size={16} />} onClick={() => run('TEST')}>
            Test run
          </Button>
          <Button leftSection={<IconPlayerPlay size={16} />} onClick={() => run('LIVE')}>
            Run
          </Button>
          <RunDialog workflow={workflow} mode={mode} opened={opened} onClose={close} />
        </>
      )}
    </>
  );
}

function Archive({ workflow }: { workflow: WorkflowDetailFragment }) {
  const archive = useCommand(ARCHIVE, { success: 'The workflow is archived.' });
  const restore = useCommand(RESTORE, { success: 'The workflow is back.' });
  const input = { workflowId: workflow.id };
  if (workflow.archivedAt) {
    return (
      <Button loading={restore.pending} onClick={() => void restore.run({ input })}>
        Bring back
      </Button>
    );
  }
  return (
    <ConfirmButton
      variant="default"
      leftSection={<IconArchive size={16} />}
      title="Archive this workflow?"
      explanation="It can be neither started nor changed until it is brought back. Nothing is lost, and what runs goes on."
      confirmLabel="Archive"
      onConfirm={async () => (await archive.run({ input })) !== null}
    >
      Archive
    </ConfirmButton>
  );
}
