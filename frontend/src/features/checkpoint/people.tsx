import { Avatar, Badge, Group, List, Progress, Stack, Text } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { Countdown } from '../../components/countdown';
import { RelativeTime } from '../../components/relative-time';
import { Plain } from '../../lib/plain';
import { doerName, seatText } from './model/people';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

const VERDICTS = { APPROVE: { label: 'Approved', color: 'brand' }, REJECT: { label: 'Rejected', color: 'red' }, ANSWER: { label: 'Answered', color: 'brand' } } as const;

/** Who has decided, and who is still needed. */
export function People({ checkpoint }: { checkpoint: Checkpoint }) {
  const { status, approvals, approvalsNeeded, decisions, stillNeeded, deadline } = checkpoint;
  const pending = status === 'PENDING';
  return (
    <Section title="Decisions" aside={pending && approvalsNeeded > 1 ? <Text size="sm" fw={600}>{approvals} of {approvalsNeeded}</Text> : undefined}>
      <Stack gap="sm">
        {pending && approvalsNeeded > 1 && <Progress value={(approvals / approvalsNeeded) * 100} aria-label={`${approvals} of ${approvalsNeeded} approvals`} />}
        {decisions.map((decision) => (
          <Decision key={decision.id} decision={decision} />
        ))}
        {pending && stillNeeded.length > 0 && (
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              Still needed
            </Text>
            <List size="sm" spacing={4} icon={<IconUserQuestion size={16} aria-hidden />}>
              {stillNeeded.map((seat) => (
                <List.Item key={seat.who}><Plain>{seatText(seat)}</Plain></List.Item>
              ))}
            </List>
          </div>
        )}
        {!pending && decisions.length === 0 && (
          <Text size="sm" c="dimmed">
            Nobody decided.
          </Text>
        )}
        {pending && (
          <Text size="sm" component="div">
            <Countdown until={deadline} />
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function Decision({ decision: { by, onBehalfOf, verdict, comment, at, lapsed } }: { decision: Checkpoint['decisions'][number] }) {
  const name = doerName(by);
  const { label, color } = VERDICTS[verdict] ?? { label: verdict, color: 'gray' };
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <Avatar name={name} size={32} color="brand" aria-hidden />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <Plain>{name}</Plain>
          {onBehalfOf && <> for <Plain>{onBehalfOf.displayName}</Plain></>}
        </Text>
        <Group gap={6}>
          <Badge size="sm" color={lapsed ? 'gray' : color}>
            {lapsed ? `${label}, counts no longer` : label}
          </Badge>
          <Text size="xs" c="dimmed" component="span">
            <RelativeTime at={at} />
          </Text>
        </Group>
        {comment !== null && (
          <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
            <Plain>{comment}</Plain>
          </Text>
        )}
      </div>
    </Group>
  );
}
