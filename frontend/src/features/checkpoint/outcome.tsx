import { Alert, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClockOff } from '@tabler/icons-react';
import { RelativeTime } from '../../components/relative-time';
import type { CheckpointStatus } from '../../gql/enums';
import { outcomeText } from './model/outcome';
import { OverrideButton } from './override-button';
import type { Checkpoint } from './use-checkpoint';
import { useViewer } from '../../lib/use-viewer';

const LOOKS: Partial<Record<CheckpointStatus, { color: string; icon: typeof IconCircleCheck }>> = {
  APPROVED: { color: 'brand', icon: IconCircleCheck },
  AUTO_APPROVED: { color: 'brand', icon: IconCircleCheck },
  REJECTED: { color: 'red', icon: IconCircleX },
};

/** How it ended: who decided, when, and what they said. Tells it the moment it happens. */
export function Outcome({ checkpoint }: { checkpoint: Checkpoint }) {
  const { viewer } = useViewer();
  const { status, resolvedAt } = checkpoint;
  const told = outcomeText(checkpoint, viewer?.user?.id ?? null);
  const { color, icon: Icon } = LOOKS[status] ?? { color: 'gray', icon: IconClockOff };
  return (
    <div role="status" className="live-region">
      {told && (
        <Alert color={color} icon={<Icon size={20} />} title={told.title}>
          {resolvedAt !== null && (
            <Text size="sm">
              <RelativeTime at={resolvedAt} />
            </Text>
          )}
          {told.details.map((detail) => (
            <Text size="sm" key={detail} style={{ overflowWrap: 'anywhere' }}>
              {detail}
            </Text>
          ))}
          {status === 'AUTO_APPROVED' && <OverrideButton checkpoint={checkpoint} />}
        </Alert>
      )}
    </div>
  );
}
