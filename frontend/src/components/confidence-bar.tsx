import { Group, Progress, Text } from '@mantine/core';
import { percent } from '../lib/format';

/** How sure the agent says it is, from 0 to 1; null when it did not say. */
export function ConfidenceBar({ value, width = 120 }: { value: number | null; width?: number | string }) {
  if (value === null) {
    return (
      <Text span size="sm" c="dimmed">
        Not given
      </Text>
    );
  }
  const color = value >= 0.8 ? 'brand' : value >= 0.5 ? 'yellow' : 'red';
  return (
    <Group gap="xs" wrap="nowrap" display="inline-flex">
      <Progress.Root size={8} w={width} radius="xl">
        <Progress.Section value={value * 100} color={color} aria-label="Confidence" aria-valuetext={percent(value)} />
      </Progress.Root>
      <Text span size="sm" fw={600}>
        {percent(value)}
      </Text>
    </Group>
  );
}
