import { ActionIcon, Group, ThemeIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconLock, IconMessageQuestion, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { canApprove, canReject, type InboxShown } from './model/verdicts';
import type { Verdicts } from './use-verdicts';

export function RowActions({ shown, verdicts }: { shown: InboxShown; verdicts: Verdicts }) {
  const { row, told } = shown;
  if (told !== null) return null;
  if (!canReject(shown)) {
    const why = row.viewerCannotDecideBecause ?? 'You cannot decide this.';
    return (
      <Tooltip label={why} multiline maw={280}>
        <ThemeIcon variant="transparent" color="gray" role="img" aria-label={why}>
          <IconLock size={18} />
        </ThemeIcon>
      </Tooltip>
    );
  }
  const all = row.itemCount === null ? 'Approve' : `Approve all ${row.itemCount} items`;
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {canApprove(shown) ? (
        <Tooltip label={all}>
          <ActionIcon variant="light" size={34} onClick={() => verdicts.approve([shown])} aria-label={`${all}: ${row.description}`}>
            <IconCheck size={18} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Tooltip label="Answer">
          <ActionIcon component={Link} to={`/checkpoints/${row.id}`} variant="light" size={34} aria-label={`Answer: ${row.description}`}>
            <IconMessageQuestion size={18} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Reject…">
        <ActionIcon variant="light" color="red" size={34} onClick={() => verdicts.askWhy([shown])} aria-label={`Reject: ${row.description}`}>
          <IconX size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
