import { Avatar, Group, Stack, Text } from '@mantine/core';
import { RelativeTime } from '../../components/relative-time';
import { Plain } from '../../lib/plain';
import { AnswerBox } from './answer-box';
import classes from './checkpoint.module.css';
import { Composer } from './composer';
import { talkOf, type Saying } from './model/talk';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

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
          <Said key={saying.id} saying={saying} checkpointId={checkpoint.id} answers={checkpoint.viewerCanAnswer} />
        ))}
        {open && <Composer checkpointId={checkpoint.id} />}
      </Stack>
    </Section>
  );
}

function Said({ saying, checkpointId, answers }: { saying: Saying; checkpointId: string; answers: boolean }) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <Avatar name={saying.who} size={30} color="brand" aria-hidden />
      <Stack gap={6} flex={1} miw={0}>
        <Text size="sm" component="div">
          <strong><Plain>{saying.who}</Plain></strong> {saying.question ? 'asked' : 'said'}{' '}
          <Text span size="xs" c="dimmed">
            <RelativeTime at={saying.at} />
          </Text>
        </Text>
        <Text size="sm" className={classes.text}>
          <Plain>{saying.text}</Plain>
        </Text>
        {saying.answer && (
          <Text size="sm" className={`${classes.said} ${classes.text}`} component="div">
            <strong><Plain>{saying.answer.who}</Plain></strong> answered: <Plain>{saying.answer.text}</Plain>
          </Text>
        )}
        {saying.question && !saying.answer && answers && <AnswerBox checkpointId={checkpointId} questionId={saying.id} />}
        {saying.question && !saying.answer && !answers && (
          <Text size="xs" c="dimmed">
            Not answered yet.
          </Text>
        )}
      </Stack>
    </Group>
  );
}
