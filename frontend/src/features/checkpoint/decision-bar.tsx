import { Alert, Button, Group, Text, Textarea } from '@mantine/core';
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { describe } from '../../lib/errors';
import { useViewer } from '../../lib/use-viewer';
import classes from './checkpoint.module.css';
import type { ItemSelection } from './items';
import { approveLabel, chosenItems } from './model/items';
import type { Checkpoint } from './use-checkpoint';
import type { Decide } from './use-decide';

interface Props {
  checkpoint: Checkpoint;
  decide: Decide;
  selection: ItemSelection;
  /** Something else is proposed than what was seen: nothing can be decided until that was looked at. */
  blocked: boolean;
  onModify: () => void;
}

/** Stays within reach of the thumb, wherever on the page one is. */
export function DecisionBar(props: Props) {
  const { checkpoint } = props;
  if (checkpoint.status !== 'PENDING') return null;
  return (
    <section className={classes.bar} aria-label="Decide">
      {checkpoint.viewerCanDecide ? props.blocked ? <LookFirst /> : <Controls {...props} /> : <CannotDecide checkpoint={checkpoint} />}
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
      {own ? <strong>You have approved this; others must, too.</strong> : <strong>You cannot decide this.</strong>} {own ? null : sentence(viewerCannotDecideBecause ?? '')}
    </Text>
  );
}

function Controls({ checkpoint, decide, selection, onModify }: Props) {
  const [comment, setComment] = useState('');
  const [needsReason, setNeedsReason] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const chosen = chosenItems(selection.all, selection.leftOut);
  const some = chosen.length < selection.all.length;
  const questions = checkpoint.kind === 'CLARIFICATION';

  function reject() {
    if (comment.trim() !== '') return void decide.reject(comment.trim());
    setNeedsReason(true);
    field.current?.focus();
  }

  return (
    <>
      {decide.error && (
        <Alert color="red" mb="sm" p="xs" role="alert" withCloseButton closeButtonLabel="Close" onClose={decide.forget}>
          {describe(decide.error)}
        </Alert>
      )}
      <div className={classes.barRow}>
        <Textarea
          ref={field}
          className={classes.barComment}
          aria-label="Comment"
          placeholder={questions ? 'Why, if nobody will answer' : 'Comment; a reason if you reject'}
          value={comment}
          onChange={(event) => (setComment(event.currentTarget.value), setNeedsReason(false))}
          error={needsReason ? 'Say why you reject it: whoever asked will read it.' : undefined}
          maxLength={10_000}
          autosize
          minRows={1}
          maxRows={5}
        />
        <div className={classes.barButtons}>
          <Button color="red" variant="light" leftSection={<IconX size={18} />} loading={decide.rejecting} disabled={decide.pending && !decide.rejecting} onClick={reject}>
            Reject
          </Button>
          {!questions && (
            <>
              <Button variant="default" leftSection={<IconPencil size={18} />} disabled={decide.pending} onClick={onModify}>
                Modify
              </Button>
              <Button
                leftSection={<IconCheck size={18} />}
                loading={decide.approving}
                disabled={(decide.pending && !decide.approving) || (selection.all.length > 0 && chosen.length === 0)}
                onClick={() => void decide.approve(comment, some ? { items: chosen } : {})}
              >
                {approveLabel(selection.all.length, chosen.length)}
              </Button>
            </>
          )}
        </div>
      </div>
    </>
  );
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return whole === '' || whole.endsWith('.') ? whole : `${whole}.`;
}
