import { Button, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { count } from '../../lib/format';
import classes from './inbox.module.css';
import { canApprove, canReject, type InboxShown } from './model/verdicts';
import type { Verdicts } from './use-verdicts';

interface Props {
  verdicts: Verdicts;
  rows: readonly InboxShown[];
  total: number | null;
}

/** How many there are, and what can be done with those that are selected. */
export function SelectionBar({ verdicts, rows, total }: Props) {
  const { selectedRows } = verdicts;
  if (rows.length === 0) return null;
  if (selectedRows.length === 0) {
    return (
      <div className={classes.selection}>
        <Text size="sm" c="dimmed" role="status">
          {count(Math.max(total ?? 0, rows.length))} {Math.max(total ?? 0, rows.length) === 1 ? 'waits' : 'wait'}
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={verdicts.selectAll}>
          Select all{total !== null && total > rows.length ? ` ${rows.length} shown` : ''}
        </Button>
      </div>
    );
  }
  const approvable = selectedRows.filter(canApprove).length;
  const rejectable = selectedRows.filter(canReject).length;
  return (
    <div className={classes.selection} data-active role="group" aria-label="Decide together">
      <Text size="sm" fw={600} mr="auto" role="status">
        {selectedRows.length} selected
      </Text>
      <Button size="sm" leftSection={<IconCheck size={16} />} disabled={approvable === 0} onClick={() => verdicts.approve(selectedRows)}>
        Approve ({approvable})
      </Button>
      <Button size="sm" variant="light" color="red" leftSection={<IconX size={16} />} disabled={rejectable === 0} onClick={() => verdicts.askWhy(selectedRows)}>
        Reject ({rejectable})
      </Button>
      <Button size="sm" variant="subtle" color="gray" onClick={verdicts.clear}>
        Clear
      </Button>
    </div>
  );
}
