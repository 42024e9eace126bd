import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { FieldDiff } from '../../components/field-diff';
import type { FieldDifference } from '../../components/model/field-diff';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { namesHidden } from '../../lib/hidden-note';
import classes from './checkpoint.module.css';
import type { Decide } from './use-decide';

interface Props {
  changes: readonly FieldDifference[];
  decide: Decide;
  disabled: boolean;
  parameters: unknown;
  /** Who must approve this, where it is no approval by oneself. */
  others: { readonly rule: string | null; readonly seats: readonly { readonly count: number; readonly who: string }[] } | null;
  onBack: () => void;
  onDone: () => void;
}

/** What will be approved instead of what was proposed, field by field. */
export function ModifyConfirm({ changes, decide, disabled, parameters, others, onBack, onDone }: Props) {
  const [comment, setComment] = useState('');
  const difference = useRef<HTMLDivElement>(null);
  // The button that led here is gone: what is to be confirmed comes next, also for who goes by keyboard or by ear.
  useEffect(() => {
    difference.current?.focus();
    difference.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <Stack>
      <div ref={difference} tabIndex={-1} role="group" aria-label="What you change" className={classes.quiet}>
        <FieldDiff changes={changes} before="Proposed" after={others ? 'What you propose' : 'What you approve'} />
      </div>
      {others && (
        <Alert color="yellow" title="You cannot approve this yourself">
          {others.rule === null ? 'The policy' : `The rule “${others.rule}”`} asks for {others.seats.map(({ count, who }) => `${count} of ${who}`).join(' and ')}. Your changes are proposed to them, and do not count as an approval.
        </Alert>
      )}
      <Textarea label="Comment" description="Why you changed it: the agent learns from it." value={comment} inputContainer={namesHidden(comment)} onChange={(event) => setComment(event.currentTarget.value)} maxLength={10_000} autosize minRows={2} />
      {decide.error && (
        <Alert color="red" role="alert">
          <CodeText>{describe(decide.error)}</CodeText>
        </Alert>
      )}
      <Group justify="flex-end" gap="xs" className={classes.buttons}>
        <Button variant="default" onClick={onBack} disabled={decide.pending}>
          Back
        </Button>
        <Button loading={decide.approving} disabled={disabled} onClick={async () => (await decide.approve(comment, { modifiedParameters: parameters })) && onDone()}>
          {others ? 'Propose' : 'Approve with'} {changes.length === 1 ? 'this change' : `these ${changes.length} changes`}
        </Button>
      </Group>
    </Stack>
  );
}
