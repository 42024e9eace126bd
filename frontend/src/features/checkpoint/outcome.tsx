import { Alert, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClockOff } from '@tabler/icons-react';
import { RelativeTime } from '../../components/relative-time';
import type { CheckpointStatus } from '../../gql/enums';
import { CodeText } from '../../lib/code-text';
import { describe, type ApiError } from '../../lib/errors';
import { Plain } from '../../lib/plain';
import { useViewer } from '../../lib/use-viewer';
import { outcomeText } from './model/outcome';
import { OverrideButton } from './override-button';
import type { Checkpoint } from './use-checkpoint';

const LOOKS: Partial<Record<CheckpointStatus, { color: string; icon: typeof IconCircleCheck }>> = {
  APPROVED: { color: 'brand', icon: IconCircleCheck },
  AUTO_APPROVED: { color: 'brand', icon: IconCircleCheck },
  REJECTED: { color: 'red', icon: IconCircleX },
};

/** How it ended: who decided, when, and what they said. Tells it the moment it happens. */
export function Outcome({ checkpoint, problem }: { checkpoint: Checkpoint; problem: ApiError | null }) {
  const { viewer } = useViewer();
  const { status, resolvedAt } = checkpoint;
  const told = outcomeText(checkpoint, viewer?.user?.id ?? null);
  const { color, icon: Icon } = LOOKS[status] ?? { color: 'gray', icon: IconClockOff };
  if (!told) return null;
  return (
    <Alert role="status" color={color} icon={<Icon size={20} />} title={<Plain>{told.title}</Plain>}>
      {resolvedAt !== null && (
        <Text size="sm">
          <RelativeTime at={resolvedAt} />
        </Text>
      )}
      {problem && (
        <Text size="sm" fw={600}>
          Your decision did not count: <CodeText>{describe(problem)}</CodeText>
        </Text>
      )}
      {told.details.map((detail) => (
        <Text size="sm" key={detail} style={{ overflowWrap: 'anywhere' }}>
          <Plain>{detail}</Plain>
        </Text>
      ))}
      {status === 'AUTO_APPROVED' && <OverrideButton checkpoint={checkpoint} />}
    </Alert>
  );
}
