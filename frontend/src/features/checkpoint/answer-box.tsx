import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../gql/documents';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { namesHidden } from '../../lib/hidden-note';
import { useCommand } from '../../lib/use-command';

const ANSWER = graphql(`
  mutation AnswerAboutCheckpoint($input: AnswerAboutCheckpointInput!) {
    answerAboutCheckpoint(input: $input) {
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

/** For whoever is behind the proposal. The answer becomes part of it, so whoever has approved must look again. */
export function AnswerBox({ checkpointId, questionId }: { checkpointId: string; questionId: string }) {
  const command = useCommand(ANSWER, { quiet: true });
  const [answer, setAnswer] = useState('');
  const submit = () => void command.run({ input: { checkpointId, questionId, answer: answer.trim() } });
  return (
    <Group component="form" gap="xs" align="flex-start" onSubmit={(event) => (event.preventDefault(), submit())}>
      <TextInput
        aria-label="Answer"
        placeholder="Answer; it becomes part of the proposal"
        value={answer}
        inputContainer={namesHidden(answer)}
        onChange={(event) => setAnswer(event.currentTarget.value)}
        error={command.error ? <CodeText>{describe(command.error)}</CodeText> : undefined}
        maxLength={10_000}
        flex={1}
        miw={180}
      />
      <Button type="submit" variant="default" disabled={answer.trim() === ''} loading={command.pending}>
        Answer
      </Button>
    </Group>
  );
}
