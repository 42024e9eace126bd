import { graphql } from '../../gql/documents';
import { hasCode } from '../../lib/errors';
import { useCommand } from '../../lib/use-command';
import type { Checkpoint } from './use-checkpoint';

const APPROVE = graphql(`
  mutation ApproveCheckpoint($input: ApproveCheckpointInput!) {
    approveCheckpoint(input: $input) {
      checkpoint {
        ...CheckpointDetail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const REJECT = graphql(`
  mutation RejectCheckpoint($input: RejectCheckpointInput!) {
    rejectCheckpoint(input: $input) {
      checkpoint {
        ...CheckpointDetail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const ANSWER = graphql(`
  mutation AnswerClarification($input: AnswerClarificationInput!) {
    answerClarification(input: $input) {
      checkpoint {
        ...CheckpointDetail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export type Decide = ReturnType<typeof useDecide>;

/** The decisions on one checkpoint. `digest` is of what the person has seen: the server refuses a decision on anything else. */
export function useDecide({ id: checkpointId }: Checkpoint, digest: string) {
  const approve = useCommand(APPROVE, { quiet: true });
  const reject = useCommand(REJECT, { quiet: true });
  const answer = useCommand(ANSWER, { quiet: true });
  const error = approve.error ?? reject.error ?? answer.error;
  const said = (comment: string) => (comment.trim() === '' ? null : comment.trim());

  function forget() {
    for (const command of [approve, reject, answer]) command.reset();
  }

  return {
    approving: approve.pending,
    rejecting: reject.pending,
    answering: answer.pending,
    pending: approve.pending || reject.pending || answer.pending,
    // What is stale shows itself: the page says what has changed.
    error: hasCode(error, 'STALE') ? null : error,
    stale: hasCode(error, 'STALE'),
    forget,
    async approve(comment: string, change: { items?: readonly string[]; modifiedParameters?: unknown } = {}): Promise<boolean> {
      forget();
      return (await approve.run({ input: { checkpointId, digest, comment: said(comment), ...change } })) !== null;
    },
    async reject(reason: string): Promise<boolean> {
      forget();
      return (await reject.run({ input: { checkpointId, digest, reason } })) !== null;
    },
    async answer(answers: unknown, comment: string): Promise<boolean> {
      forget();
      return (await answer.run({ input: { checkpointId, digest, answers, comment: said(comment) } })) !== null;
    },
  };
}
