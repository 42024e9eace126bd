import { Alert, Button, Textarea } from '@mantine/core';
import { IconCheck, IconPencil, IconSend, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { namesHidden } from '../../lib/hidden-note';
import classes from './checkpoint.module.css';
import { ANSWERS } from './clarification-form';
import type { ItemSelection } from './items';
import { approveLabel, chosenItems } from './model/items';
import type { Checkpoint } from './use-checkpoint';
import type { Decide } from './use-decide';

export interface DecisionProps {
  checkpoint: Checkpoint;
  decide: Decide;
  selection: ItemSelection;
  onModify: () => void;
}

/** The comment, and the buttons for a thumb. */
export function DecisionControls({ checkpoint, decide, selection, onModify }: DecisionProps) {
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
          <CodeText>{describe(decide.error)}</CodeText>
        </Alert>
      )}
      <div className={classes.barRow}>
        <Textarea
          ref={field}
          className={classes.barComment}
          aria-label="Comment"
          placeholder={questions ? 'Why, if nobody will answer' : 'Comment; a reason if you reject'}
          value={comment}
          inputContainer={namesHidden(comment)}
          onChange={(event) => (setComment(event.currentTarget.value), setNeedsReason(false))}
          error={needsReason ? 'Say why you reject it: whoever asked will read it.' : undefined}
          maxLength={10_000}
          rows={1}
          classNames={{ input: classes.grows }}
        />
        <div className={classes.barButtons}>
          <Button color="red" variant="light" leftSection={<IconX size={18} />} loading={decide.rejecting} disabled={decide.pending && !decide.rejecting} onClick={reject}>
            Reject
          </Button>
          {questions ? (
            <Button type="submit" form={ANSWERS} leftSection={<IconSend size={18} />} loading={decide.answering}>
              Send the answers
            </Button>
          ) : (
            <>
              {/* The server takes other parameters or some of the items, not both at once. */}
              <Button
                variant="default"
                leftSection={<IconPencil size={18} />}
                disabled={decide.pending || some}
                title={some ? 'Select all items to change the parameters' : undefined}
                onClick={onModify}
              >
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
