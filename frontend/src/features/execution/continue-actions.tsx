import { IconPlayerTrackNext, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ConfirmButton } from '../../components/confirm-button';
import { graphql } from '../../gql/documents';
import { requestKey } from '../../lib/request-key';
import { useCommand } from '../../lib/use-command';
import type { Action } from './model/actions';

const RETRY = graphql(`
  mutation RetryExecution($input: RetryExecutionInput!) {
    retryExecution(input: $input) {
      execution {
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

const RESUME_FAILED = graphql(`
  mutation ResumeFailedExecution($input: ResumeFailedExecutionInput!) {
    resumeFailedExecution(input: $input) {
      execution {
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

/** The two that make a new execution of one that has ended, and go there. */
export function ContinueActions({ id, actions }: { id: string; actions: ReadonlySet<Action> }) {
  const navigate = useNavigate();
  const retry = useCommand(RETRY, { success: 'It runs again, as a new execution.' });
  const resume = useCommand(RESUME_FAILED, { success: 'It goes on from the failure, as a new execution.' });
  // The same for each click on this page, so that an answer that got lost does not make two.
  const [idempotencyKey] = useState(requestKey);
  const input = { executionId: id, idempotencyKey };

  function go(next: string | undefined): boolean {
    if (next !== undefined) void navigate(`/executions/${next}`);
    return next !== undefined;
  }

  return (
    <>
      {actions.has('resumeFailed') && (
        <ConfirmButton
          color="brand"
          leftSection={<IconPlayerTrackNext size={16} />}
          title="Resume from the failure?"
          explanation="A new execution keeps the outputs of what succeeded, and runs the rest with the newest version of each agent. This one stays as it is."
          confirmLabel="Resume from failure"
          onConfirm={async () => go((await resume.run({ input }))?.execution?.id)}
        >
          Resume from failure
        </ConfirmButton>
      )}
      {actions.has('retry') && (
        <ConfirmButton
          variant="default"
          color="brand"
          leftSection={<IconRefresh size={16} />}
          title="Run it again?"
          explanation="A new execution runs everything from the start with the same input. Whatever this one has done is done once more."
          confirmLabel="Run again"
          onConfirm={async () => go((await retry.run({ input }))?.execution?.id)}
        >
          Retry
        </ConfirmButton>
      )}
    </>
  );
}
