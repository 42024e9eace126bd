import { Stack, Text } from '@mantine/core';
import { Markdown } from '../../components/markdown';
import { Plain } from '../../lib/plain';
import classes from './checkpoint.module.css';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

/** Why, as whoever prepared it says, and what it answered when asked. */
export function Reasoning({ checkpoint: { proposal, kind } }: { checkpoint: Checkpoint }) {
  if (proposal.reasoning === null && (kind === 'CLARIFICATION' || proposal.answered.length === 0)) {
    if (kind === 'CLARIFICATION') return null;
    return (
      <Section title="Reasoning">
        <Text size="sm" c="dimmed">
          Whoever prepared it gave no reasoning. You can ask below.
        </Text>
      </Section>
    );
  }
  return (
    <Section title="Reasoning">
      <Stack gap="sm">
        {proposal.reasoning !== null && <div className={classes.prose}><Markdown>{proposal.reasoning}</Markdown></div>}
        {proposal.answered.map(({ question, answer }) => (
          <div key={question}>
            <Text size="sm" fw={600}>
              <Plain>{question}</Plain>
            </Text>
            <Text size="sm"><Plain>{answer}</Plain></Text>
          </div>
        ))}
      </Stack>
    </Section>
  );
}
