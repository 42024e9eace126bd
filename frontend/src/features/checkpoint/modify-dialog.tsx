import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { FieldDiff } from '../../components/field-diff';
import { fieldDifferences } from '../../components/model/field-diff';
import { SchemaForm } from '../../components/schema-form/schema-form';
import { describe } from '../../lib/errors';
import { ChangedNotice } from './changed-notice';
import classes from './checkpoint.module.css';
import { inferSchema } from './model/infer-schema';
import type { Checkpoint } from './use-checkpoint';
import type { Decide } from './use-decide';
import { useParameterPreview } from './use-parameter-preview';
import type { useSeen } from './use-seen';

interface Props {
  checkpoint: Checkpoint;
  decide: Decide;
  seen: ReturnType<typeof useSeen>;
  onClose: () => void;
}

/** Other parameters than those proposed: first the form and the JSON, then the difference to confirm. */
export function ModifyDialog({ checkpoint, decide, seen, onClose }: Props) {
  const blocked = seen.changes !== null;
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const proposed = checkpoint.proposal.parameters;
  const [value, setValue] = useState<unknown>(proposed);
  const [readable, setReadable] = useState(true);
  const [confirming, setConfirming] = useState(false);
  const schema = useMemo(() => (checkpoint.kind === 'STEP' ? checkpoint.agent?.inputSchema : null) ?? inferSchema(proposed), [checkpoint.kind, checkpoint.agent?.inputSchema, proposed]);
  const preview = useParameterPreview(checkpoint.id, value);
  const changes = useMemo(() => fieldDifferences(proposed, value), [proposed, value]);
  const ready = readable && preview.valid && !preview.checking && changes.length > 0 && !blocked;

  return (
    <Modal opened onClose={onClose} size="min(1080px, 94vw)" fullScreen={phone} title={confirming ? 'Approve with these changes?' : 'Modify before approving'}>
      {/* What was typed stays, and is compared with what is proposed now. */}
      <ChangedNotice seen={seen} checkpoint={checkpoint} />
      {confirming ? (
        <Confirm changes={changes} decide={decide} disabled={blocked} onBack={() => setConfirming(false)} parameters={value} onDone={onClose} />
      ) : (
        <Stack>
          <SchemaForm schema={schema} value={value} onChange={setValue} onValidity={setReadable} label="Parameters" layout="split" defaults={false} />
          <Problems errors={preview.errors} failure={preview.failure ? describe(preview.failure) : null} />
          <Group justify="space-between" className={classes.foot} gap="xs">
            <Text size="sm" c="dimmed" role="status">
              {changes.length === 0 ? 'Nothing is changed yet.' : `${changes.length} ${changes.length === 1 ? 'field differs' : 'fields differ'}.`}
            </Text>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button disabled={!ready} onClick={() => setConfirming(true)}>
                Review the changes
              </Button>
            </Group>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Problems({ errors, failure }: { errors: readonly { message: string }[]; failure: string | null }) {
  if (errors.length === 0 && failure === null) return null;
  return (
    <Alert color="red" title={failure === null ? 'The agent does not take this' : 'This could not be checked'}>
      {failure}
      {errors.map(({ message }) => (
        <Text size="sm" key={message}>
          {message}
        </Text>
      ))}
    </Alert>
  );
}

interface ConfirmProps {
  changes: ReturnType<typeof fieldDifferences>;
  decide: Decide;
  disabled: boolean;
  parameters: unknown;
  onBack: () => void;
  onDone: () => void;
}

function Confirm({ changes, decide, disabled, parameters, onBack, onDone }: ConfirmProps) {
  const [comment, setComment] = useState('');
  return (
    <Stack>
      <FieldDiff changes={changes} before="Proposed" after="What you approve" />
      <Textarea label="Comment" description="Why you changed it: the agent learns from it." value={comment} onChange={(event) => setComment(event.currentTarget.value)} maxLength={10_000} autosize minRows={2} />
      {decide.error && (
        <Alert color="red" role="alert">
          {describe(decide.error)}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack} disabled={decide.pending}>
          Back
        </Button>
        <Button loading={decide.approving} disabled={disabled} onClick={async () => (await decide.approve(comment, { modifiedParameters: parameters })) && onDone()}>
          Approve with {changes.length === 1 ? 'this change' : `these ${changes.length} changes`}
        </Button>
      </Group>
    </Stack>
  );
}
