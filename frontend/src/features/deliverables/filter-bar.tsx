import { Chip, Group, SegmentedControl, Stack } from '@mantine/core';
import { AgentSelect } from '../../components/library-select';
import { OnlyFilter } from '../../components/only-filter';
import { SearchField } from '../../components/search-field';
import { TimeRangeFilter } from '../../components/time-range-filter';
import type { DeliverableCountsQuery } from '../../gql/types';
import { words } from '../../lib/format';
import { usePhone } from '../../lib/use-phone';
import { shelfCounts, SHELVES, TYPES, type Filters, type Shelf } from './model/filters';

interface Props {
  filters: Filters;
  counts: DeliverableCountsQuery['deliverableCounts'] | null;
  onChange: (changes: Record<string, string | readonly string[] | null>) => void;
}

export function FilterBar({ filters, counts, onChange }: Props) {
  const phone = usePhone();
  const shelves = counts && shelfCounts(counts.byStatus);
  return (
    <Stack gap="sm" mb="md">
      <Group gap="sm">
        <SearchField label="Search by name" value={filters.search} onChange={(q) => onChange({ q })} />
        <AgentSelect w={{ base: 'calc(50% - 6px)', xs: 170 }} value={filters.agentId} onChange={(agent) => onChange({ agent })} />
        <TimeRangeFilter label="Made when" />
        {filters.executionId !== null && <OnlyFilter onClear={() => onChange({ execution: null })}>Of one execution</OnlyFilter>}
      </Group>
      <Group gap="sm">
        <SegmentedControl
          aria-label="Status"
          size={phone ? 'xs' : 'sm'}
          fullWidth={phone}
          w={phone ? '100%' : undefined}
          value={filters.shelf}
          onChange={(status) => onChange({ status: status === 'CURRENT' ? null : status })}
          data={(Object.keys(SHELVES) as Shelf[]).map((shelf) => ({
            value: shelf,
            label: shelves ? `${SHELVES[shelf].label} ${shelves[shelf]}` : SHELVES[shelf].label,
          }))}
        />
        <Chip.Group multiple value={filters.types} onChange={(type) => onChange({ type })}>
          <Group gap={6} role="group" aria-label="Type">
            {TYPES.map((type) => (
              <Chip key={type} value={type} size="sm" radius="md">
                {words(type)} {counts?.byType.find((one) => one.type === type)?.count ?? 0}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Group>
    </Stack>
  );
}
