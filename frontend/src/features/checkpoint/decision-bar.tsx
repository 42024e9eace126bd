import { Button, Group, Text } from '@mantine/core';
import { CodeText } from '../../lib/code-text';
import { sentence } from '../../lib/errors';
import { useViewer } from '../../lib/use-viewer';
import classes from './checkpoint.module.css';
import { DecisionControls, type DecisionProps } from './decision-controls';
import type { Checkpoint } from './use-checkpoint';

interface Props extends DecisionProps {
  /** Something else is proposed than what was seen: nothing can be decided until that was looked at. */
  blocked: boolean;
}

/** Stays within reach of the thumb, wherever on the page one is. */
export function DecisionBar(props: Props) {
  const { checkpoint } = props;
  if (checkpoint.status !== 'PENDING') return null;
  return (
    <section className={classes.bar} aria-label="Decide" data-action-bar>
      {!checkpoint.viewerCanDecide && <CannotDecide checkpoint={checkpoint} />}
      {checkpoint.viewerCanDecide && (props.blocked ? <LookFirst /> : <DecisionControls {...props} />)}
    </section>
  );
}

function LookFirst() {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" fw={600}>
        The proposal has changed.
      </Text>
      <Button variant="light" color="yellow" onClick={() => document.getElementById('what-changed')?.scrollIntoView({ block: 'center' })}>
        See what changed
      </Button>
    </Group>
  );
}

function CannotDecide({ checkpoint: { decisions, viewerCannotDecideBecause } }: { checkpoint: Checkpoint }) {
  const { viewer } = useViewer();
  const own = decisions.some(({ by, lapsed }) => !lapsed && viewer?.user != null && by.user?.id === viewer.user.id);
  return (
    <Text size="sm">
      {own ? <strong>You have approved this; others must, too.</strong> : <strong>You cannot decide this.</strong>} {own ? null : viewerCannotDecideBecause !== null && <CodeText>{sentence(viewerCannotDecideBecause)}</CodeText>}
    </Text>
  );
}
