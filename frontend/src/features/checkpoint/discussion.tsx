import { Avatar, Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import { describe } from '../../lib/errors';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import { AnswerBox } from './answer-box';
import classes from './checkpoint.module.css';
import { talkOf, type Saying } from './model/talk';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

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

/** What people said, and what they asked whoever is behind the proposal. */
export function Discussion({ checkpoint }: { checkpoint: Checkpoint }) {
  const talk = talkOf(checkpoint);
  const open = checkpoint.status === 'PENDING';
  return (
    <Section title="Comments and questions">
      <Stack gap="md">
        {talk.length === 0 && (
          <Text size="sm" c="dimmed">
            {open ? 'Nobody has said anything yet. A comment is for everybody who looks; a question goes to whoever is behind the proposal.' : 'Nobody said anything.'}
          </Text>
        )}
        {talk.map((saying) => (
          <Said key={saying.id} saying={saying} checkpointId={checkpoint.id} open={open} />
        ))}
        {open && <Composer checkpointId={checkpoint.id} />}
      </Stack>
    </Section>
  );
}

function Said({ saying, checkpointId, open }: { saying: Saying; checkpointId: string; open: boolean }) {
  const { can } = useViewer();
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <Avatar name={saying.who} size={30} color="brand" aria-hidden />
      <Stack gap={6} flex={1} miw={0}>
        <Text size="sm" component="div">
          <strong>{saying.who}</strong> {saying.question ? 'asked' : 'said'}{' '}
          <Text span size="xs" c="dimmed">
            <RelativeTime at={saying.at} />
          </Text>
        </Text>
        <Text size="sm" className={classes.text}>
          {saying.text}
        </Text>
        {saying.answer && (
          <Text size="sm" className={`${classes.said} ${classes.text}`} component="div">
            <strong>{saying.answer.who}</strong> answered: {saying.answer.text}
          </Text>
        )}
        {saying.question && !saying.answer && open && can('OPERATOR') && <AnswerBox checkpointId={checkpointId} questionId={saying.id} />}
        {saying.question && !saying.answer && !(open && can('OPERATOR')) && (
          <Text size="xs" c="dimmed">
            Not answered yet.
          </Text>
        )}
      </Stack>
    </Group>
  );
}

function Composer({ checkpointId }: { checkpointId: string }) {
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
        onChange={(event) => setText(event.currentTarget.value)}
        error={error ? describe(error) : undefined}
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
