import { Group, SegmentedControl, Text } from '@mantine/core';
import { TimeRangeFilter } from '../../components/time-range-filter';
import { AgentSelect, WorkflowSelect } from '../../components/library-select';
import { words } from '../../lib/format';
import { bucketsFor } from './model/buckets';
import { DEFAULT_RANGE, type Filters } from './model/filters';

export function FilterBar({ filters, onChange }: { filters: Filters; onChange: (changes: Record<string, string | null>) => void }) {
  return (
    <Group gap="sm" mb="lg">
      <TimeRangeFilter fallback={DEFAULT_RANGE} label="Time" />
      <SegmentedControl
        aria-label="Each bar is"
        value={filters.bucket}
        onChange={(bucket) => onChange({ bucket })}
        data={bucketsFor(filters.hours).map((bucket) => ({ value: bucket, label: words(bucket) }))}
      />
      <WorkflowSelect flex="1 1 170px" maw={{ sm: 230 }} value={filters.workflowId} onChange={(workflow) => onChange({ workflow })} />
      <AgentSelect w={{ base: 'calc(50% - 6px)', xs: 170 }} value={filters.agentId} onChange={(agent) => onChange({ agent })} />
      <Text size="xs" c="dimmed">
        Days as in {filters.timeZone.replaceAll('_', ' ')}
      </Text>
    </Group>
  );
}
