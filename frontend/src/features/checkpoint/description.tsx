import { Text } from '@mantine/core';
import { headlineOf } from '../../lib/headline';
import { Plain } from '../../lib/plain';
import classes from './checkpoint.module.css';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

/** All that was said about what is about to be done, where that is more than a headline. */
export function Description({ checkpoint: { description } }: { checkpoint: Checkpoint }) {
  const { whole } = headlineOf(description);
  if (whole === null) return null;
  return (
    <Section title="What is to be done">
      <Text size="sm" className={classes.text}>
        <Plain>{whole}</Plain>
      </Text>
    </Section>
  );
}
