import { Anchor, Badge, Group, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import type { InboxShown } from './model/verdicts';
import classes from './inbox.module.css';

/** What somebody wants to do, in one sentence, and where it comes from. */
export const What = memo(function What({ shown: { row, told } }: { shown: InboxShown }) {
  const origin = [row.workflow?.name ?? 'From outside', row.agent?.name].filter(Boolean).join(' · ');
  return (
    <div data-leaving={told !== null} className={classes.what}>
      <Anchor component={Link} to={`/checkpoints/${row.id}`} className={classes.sentence} c="var(--mantine-color-text)" title={row.description}>
        {row.description}
      </Anchor>
      <Group gap={6} mt={2}>
        {told !== null && (
          <Badge size="sm" color={told.startsWith('Approved') ? 'brand' : 'gray'}>
            {told}
          </Badge>
        )}
        <Text size="xs" c="dimmed">
          {origin}
        </Text>
        <Marks row={row} />
      </Group>
    </div>
  );
});

/** What one should know before deciding by the row alone. */
function Marks({ row }: { row: InboxShown['row'] }) {
  return (
    <>
      {row.kind === 'CLARIFICATION' && <Badge size="sm" color="blue">Questions</Badge>}
      {row.itemCount !== null && <Badge size="sm" color="gray">{row.itemCount} items</Badge>}
      {row.approvalsNeeded > 1 && (
        <Badge size="sm" color="gray">
          {row.approvals} of {row.approvalsNeeded} approved
        </Badge>
      )}
      {row.revision > 1 && <Badge size="sm" color="yellow">Revision {row.revision}</Badge>}
      {row.test && <Badge size="sm" color="gray">Test</Badge>}
      {row.assignee && (
        <Text size="xs" c="dimmed">
          {row.assignee.displayName} is on it
        </Text>
      )}
    </>
  );
}
