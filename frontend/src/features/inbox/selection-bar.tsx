import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { count } from '../../lib/format';
import classes from './inbox.module.css';
import { canApprove, canReject, type InboxShown } from './model/verdicts';
import type { Verdicts } from './use-verdicts';

interface Props {
  verdicts: Verdicts;
  rows: readonly InboxShown[];
  /** How many the server knows of, if these are not all. */
  total: number | null;
}

/** How many there are, and what can be done with those that are selected. */
export function SelectionBar({ verdicts, rows, total }: Props) {
  const { selectedRows } = verdicts;
  if (rows.length === 0) return null;
  const waiting = rows.filter(({ told }) => told === null).length;
  const all = total ?? waiting;
  const more = selectedRows.length < waiting;
  const selectAll = (
    <Button size="compact-sm" variant="subtle" onClick={verdicts.selectAll}>
      Select all{all > waiting ? ` ${waiting} shown` : ''}
    </Button>
  );
  if (selectedRows.length === 0) {
    return (
      <div className={classes.slot}>
        <div className={classes.selection}>
          <Text size="sm" c="dimmed" role="status">
            {count(all)} {all === 1 ? 'waits' : 'wait'}
          </Text>
          {selectAll}
        </div>
      </div>
    );
  }
  const approvable = selectedRows.filter(canApprove).length;
  const rejectable = selectedRows.filter(canReject).length;
  return (
    <div className={classes.slot}>
      <div className={classes.selection} data-active role="group" aria-label="Decide together">
        <Group className={classes.count} gap="xs">
          <Text size="sm" fw={600} role="status">
            {selectedRows.length} selected
          </Text>
          {more && selectAll}
        </Group>
        <Button className={classes.decide} size="sm" leftSection={<IconCheck size={16} />} disabled={approvable === 0} onClick={() => verdicts.verbs.approve(selectedRows)}>
          Approve ({approvable})
        </Button>
        <Button className={classes.decide} size="sm" variant="light" color="red" leftSection={<IconX size={16} />} disabled={rejectable === 0} onClick={() => verdicts.verbs.askWhy(selectedRows)}>
          Reject ({rejectable})
        </Button>
        <Button size="sm" variant="subtle" color="gray" onClick={verdicts.clear}>
          Clear
        </Button>
      </div>
    </div>
  );
}
