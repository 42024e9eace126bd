import { Button, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../gql/documents';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { namesHidden } from '../../lib/hidden-note';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';

const COMMENT = graphql(`
  mutation CommentOnCheckpoint($input: CommentOnCheckpointInput!) {
    commentOnCheckpoint(input: $input) {
      checkpoint {
        ...Talk
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const ASK = graphql(`
  mutation AskAboutCheckpoint($input: AskAboutCheckpointInput!) {
    askAboutCheckpoint(input: $input) {
      checkpoint {
        ...Talk
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Writes a comment to everybody, or a question to whoever is behind the proposal. */
export function Composer({ checkpointId }: { checkpointId: string }) {
  const { can } = useViewer();
  const comment = useCommand(COMMENT, { quiet: true });
  const ask = useCommand(ASK, { quiet: true });
  const [kind, setKind] = useState('comment');
  const [text, setText] = useState('');
  const error = kind === 'ask' ? ask.error : comment.error;

  async function submit() {
    const said = text.trim();
    if (said === '') return;
    const done = kind === 'ask' ? await ask.run({ input: { checkpointId, question: said } }) : await comment.run({ input: { checkpointId, comment: said } });
    if (done !== null) setText('');
  }

  return (
    <Stack component="form" gap="xs" onSubmit={(event) => (event.preventDefault(), void submit())}>
      {can('APPROVER') && (
        <SegmentedControl
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          value={kind}
          onChange={setKind}
          data={[
            { value: 'comment', label: 'Comment' },
            { value: 'ask', label: 'Question' },
          ]}
          aria-label="What to write"
        />
      )}
      <Textarea
        aria-label={kind === 'ask' ? 'Question' : 'Comment'}
        placeholder={kind === 'ask' ? 'What would you like to know before you decide?' : 'Say something to everybody who looks'}
        value={text}
        inputContainer={namesHidden(text)}
        onChange={(event) => setText(event.currentTarget.value)}
        error={error ? <CodeText>{describe(error)}</CodeText> : undefined}
        maxLength={10_000}
        autosize
        minRows={2}
        maxRows={10}
      />
      <Button type="submit" variant="light" disabled={text.trim() === ''} loading={comment.pending || ask.pending} style={{ alignSelf: 'flex-end' }}>
        {kind === 'ask' ? 'Ask' : 'Comment'}
      </Button>
    </Stack>
  );
}
