import { Alert, Text } from '@mantine/core';
import { IconGitPullRequest } from '@tabler/icons-react';
import { RelativeTime } from '../../components/relative-time';
import { CodeText } from '../../lib/code-text';
import { sentence } from '../../lib/errors';
import type { Checkpoint } from './use-checkpoint';

const SUBJECTS = { POLICY: 'the policy', AGENT: 'an agent', WORKFLOW: 'a workflow' } as const;

/** A change of the rules themselves: what became of it, or what approving it does. */
export function ReviewedChange({ checkpoint: { status, reviewedChange } }: { checkpoint: Checkpoint }) {
  if (!reviewedChange) return null;
  const { subject, doneAt, problem } = reviewedChange;
  const what = SUBJECTS[subject];
  if (problem !== null) {
    return (
      <Alert color="red" icon={<IconGitPullRequest size={20} />} title={`The change of ${what} could not be made`}>
        <Text size="sm">
          <CodeText>{sentence(problem)}</CodeText>
        </Text>
      </Alert>
    );
  }
  if (status !== 'PENDING' && doneAt === null) return null;
  return (
    <Alert color="blue" icon={<IconGitPullRequest size={20} />} title={doneAt === null ? `This changes ${what}` : `The change of ${what} was made`}>
      <Text size="sm" component="div">
        {doneAt === null ? 'The server makes the change once it is approved, exactly as shown here.' : <RelativeTime at={doneAt} />}
      </Text>
    </Alert>
  );
}
