import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { headlineOf } from '../../lib/headline';
import { namesHidden } from '../../lib/hidden-note';
import { Plain } from '../../lib/plain';
import type { Verdicts } from './use-verdicts';

/** A rejection needs a reason: whoever asked reads it, and so does the agent next time. */
export function RejectDialog({ verdicts }: { verdicts: Verdicts }) {
  const { rejecting, stopRejecting } = verdicts;
  const [first] = rejecting;
  return (
    <Modal opened={first !== undefined} onClose={stopRejecting} title={rejecting.length > 1 ? `Reject ${rejecting.length} checkpoints` : 'Reject'}>
      {first && <Reason key={first.id} what={rejecting.length === 1 ? headlineOf(first.row.description).headline : null} verdicts={verdicts} />}
    </Modal>
  );
}

function Reason({ what, verdicts }: { what: string | null; verdicts: Verdicts }) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function submit() {
    if (reason.trim() === '') setProblem('Say why: whoever asked will read it.');
    else verdicts.verbs.reject(verdicts.rejecting, reason.trim());
  }

  return (
    <Stack component="form" onSubmit={(event) => (event.preventDefault(), submit())}>
      {what !== null && (
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <Plain>{what}</Plain>
        </Text>
      )}
      <Textarea
        label="Why not?"
        description="One rejection ends it. Whoever asked reads the reason."
        value={reason}
        inputContainer={namesHidden(reason)}
        onChange={(event) => (setReason(event.currentTarget.value), setProblem(null))}
        onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && submit()}
        error={problem}
        maxLength={10_000}
        autosize
        minRows={3}
        maxRows={10}
        withAsterisk
        data-autofocus
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={verdicts.stopRejecting}>
          Cancel
        </Button>
        <Button type="submit" color="red">
          Reject
        </Button>
      </Group>
    </Stack>
  );
}
