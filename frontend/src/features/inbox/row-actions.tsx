import { ActionIcon, Group, ThemeIcon } from '@mantine/core';
import { IconCheck, IconLock, IconMessageQuestion, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { canApprove, canReject, type InboxShown } from './model/verdicts';
import type { Verdicts } from './use-verdicts';

/** The browser's own tooltips: two of the library's in each row are what makes a long list stutter. */
export const RowActions = memo(function RowActions({ shown, verdicts }: { shown: InboxShown; verdicts: Verdicts }) {
  const { row, told } = shown;
  if (told !== null) return null;
  if (!canReject(shown)) {
    const why = row.viewerCannotDecideBecause ?? 'You cannot decide this.';
    return (
      <ThemeIcon variant="transparent" color="gray" role="img" aria-label={why} title={why}>
        <IconLock size={18} />
      </ThemeIcon>
    );
  }
  const all = row.itemCount === null ? 'Approve' : `Approve all ${row.itemCount} items`;
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {canApprove(shown) ? (
        <ActionIcon variant="light" size={34} onClick={() => verdicts.approve([shown])} aria-label={`${all}: ${row.description}`} title={all}>
          <IconCheck size={18} />
        </ActionIcon>
      ) : (
        <ActionIcon component={Link} to={`/checkpoints/${row.id}`} variant="light" size={34} aria-label={`Answer: ${row.description}`} title="Answer">
          <IconMessageQuestion size={18} />
        </ActionIcon>
      )}
      <ActionIcon variant="light" color="red" size={34} onClick={() => verdicts.askWhy([shown])} aria-label={`Reject: ${row.description}`} title="Reject…">
        <IconX size={18} />
      </ActionIcon>
    </Group>
  );
});
