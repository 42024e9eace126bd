import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { ConfirmButton } from '../../components/confirm-button';
import { graphql } from '../../gql/documents';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import { ContinueActions } from './continue-actions';
import type { Plan, State } from './execution-documents';
import { actionsFor } from './model/actions';

const PAUSE = graphql(`
  mutation PauseExecution($input: PauseExecutionInput!) {
    pauseExecution(input: $input) {
      execution {
        id
        status
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const RESUME = graphql(`
  mutation ResumeExecution($input: ResumeExecutionInput!) {
    resumeExecution(input: $input) {
      execution {
        id
        status
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const STOP = graphql(`
  mutation StopExecution($input: CancelExecutionInput!) {
    cancelExecution(input: $input) {
      execution {
        id
        status
        completionReason
        finishedAt
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** What can be done with an execution in its state. Nothing is offered that the server would refuse. */
export function RunActions({ plan, state }: { plan: Plan; state: State }) {
  const { can } = useViewer();
  const pause = useCommand(PAUSE);
  const resume = useCommand(RESUME);
  const stop = useCommand(STOP);
  if (!can('OPERATOR')) return null;
  const actions = actionsFor({ ...state, workflowVersion: plan.workflowVersion });
  const input = { executionId: plan.id };
  return (
    <>
      <ContinueActions id={plan.id} actions={actions} />
      {actions.has('pause') && (
        <Button variant="default" leftSection={<IconPlayerPause size={16} />} loading={pause.pending} onClick={() => void pause.run({ input })}>
          Pause
        </Button>
      )}
      {actions.has('resume') && (
        <Button leftSection={<IconPlayerPlay size={16} />} loading={resume.pending} onClick={() => void resume.run({ input })}>
          Resume
        </Button>
      )}
      {actions.has('stop') && (
        <ConfirmButton
          variant="light"
          color="red"
          leftSection={<IconPlayerStop size={16} />}
          title="Stop this execution for good?"
          explanation="Running work is told to stop and its late result ignored. What has been done already stays done. It cannot go on afterwards; it can be run again."
          confirmLabel="Stop it"
          reason={{ label: 'Why? (for whoever looks at it later)', required: false }}
          onConfirm={async (reason) => (await stop.run({ input: { ...input, reason: reason === '' ? null : reason } })) !== null}
        >
          Stop
        </ConfirmButton>
      )}
    </>
  );
}
