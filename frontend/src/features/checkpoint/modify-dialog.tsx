import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { fieldDifferences } from '../../components/model/field-diff';
import { SchemaForm } from '../../components/schema-form/schema-form';
import { CodeText } from '../../lib/code-text';
import { describe, sentence } from '../../lib/errors';
import { usePhone } from '../../lib/use-phone';
import { ChangedNotice } from './changed-notice';
import classes from './checkpoint.module.css';
import { ModifyConfirm } from './modify-confirm';
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
  const phone = usePhone();
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
        <ModifyConfirm changes={changes} decide={decide} disabled={blocked} onBack={() => setConfirming(false)} parameters={value} others={preview.others} onDone={onClose} />
      ) : (
        <Stack>
          <SchemaForm schema={schema} value={value} onChange={setValue} onValidity={setReadable} label="Parameters" layout="split" defaults={false} focusFirst />
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
      {failure !== null && <CodeText>{failure}</CodeText>}
      {errors.map(({ message }) => (
        <Text size="sm" key={message}>
          <CodeText>{sentence(message)}</CodeText>
        </Text>
      ))}
    </Alert>
  );
}
