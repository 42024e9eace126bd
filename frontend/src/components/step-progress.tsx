import { Group, Progress, Text } from '@mantine/core';
import type { ExecutionStatus } from '../gql/enums';
import { EXECUTION_LOOKS } from './model/status';

interface Props {
  status: ExecutionStatus;
  progress: { readonly done: number; readonly total: number; readonly percent: number };
  size?: 'sm' | 'md';
}

/** How many steps of an execution are over, in the colour of its state. */
export function StepProgress({ status, progress: { done, total, percent }, size = 'sm' }: Props) {
  // A request that stands alone has no steps to count.
  if (total === 0) return <Text size="xs" c="dimmed">No steps</Text>;
  const { color, busy = false } = EXECUTION_LOOKS[status] ?? { color: 'gray' as const };
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress.Root size={size} flex={1} radius="xl">
        <Progress.Section value={percent} color={color} animated={busy} aria-label="Steps that are over" aria-valuetext={`${done} of ${total}`} />
      </Progress.Root>
      <Text size="xs" c="dimmed" miw="3.5ch" ta="right">
        {done}/{total}
      </Text>
    </Group>
  );
}
