import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconMessageQuestion, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Countdown } from '../../components/countdown';
import { Money } from '../../components/money';
import { RiskBadge } from '../../components/risk-badge';
import { CodeText } from '../../lib/code-text';
import { sentence } from '../../lib/errors';
import { percent } from '../../lib/format';
import { SelectRow } from './columns';
import { canApprove, canReject, type InboxShown } from './model/verdicts';
import type { RowVerbs } from './use-verdicts';
import { Waited } from './waited';
import { What } from './what';

interface Props {
  shown: InboxShown;
  verbs: RowVerbs;
}

/** The same row on a phone, with buttons for a thumb. */
export function RowCard({ shown, verbs, selected }: Props & { selected: boolean }) {
  const { row, told } = shown;
  return (
    <Card>
      <Stack gap="xs">
        <Group wrap="nowrap" align="flex-start" gap="sm">
          <SelectRow shown={shown} verbs={verbs} selected={selected} />
          <What shown={shown} />
        </Group>
        <Group gap="xs" justify="space-between">
          <RiskBadge level={row.riskLevel} />
          <Text size="xs" component="div">
            <Countdown until={row.deadline} />
          </Text>
        </Group>
        <Text size="xs" c="dimmed" component="div">
          Waited <Waited since={row.requestedAt} />
          {row.confidence !== null && <> · {percent(row.confidence)} sure</>}
          {row.estimatedCostMicros !== null && (
            <>
              {' · '}
              <Money micros={row.estimatedCostMicros} />
            </>
          )}
        </Text>
        {told === null && <Buttons shown={shown} verbs={verbs} />}
      </Stack>
    </Card>
  );
}

function Buttons({ shown, verbs }: Props) {
  const { row } = shown;
  if (!canReject(shown)) {
    return (
      <Text size="xs" c="dimmed">
        {row.viewerCannotDecideBecause !== null && <CodeText>{sentence(row.viewerCannotDecideBecause)}</CodeText>}
      </Text>
    );
  }
  return (
    <Group grow gap="xs">
      {canApprove(shown) ? (
        <Button size="md" variant="light" leftSection={<IconCheck size={18} />} onClick={() => verbs.approve([shown])}>
          {row.itemCount === null ? 'Approve' : 'Approve all'}
        </Button>
      ) : (
        <Button size="md" variant="light" leftSection={<IconMessageQuestion size={18} />} component={Link} to={`/checkpoints/${row.id}`}>
          Answer
        </Button>
      )}
      <Button size="md" variant="light" color="red" leftSection={<IconX size={18} />} onClick={() => verbs.askWhy([shown])}>
        Reject
      </Button>
    </Group>
  );
}
