import { Button, Group, MultiSelect, Select } from '@mantine/core';
import { FilterFold } from '../../components/filter-fold';
import { EXECUTION_LOOKS } from '../../components/model/status';
import { OnlyFilter } from '../../components/only-filter';
import { SearchField } from '../../components/search-field';
import { TimeRangeFilter } from '../../components/time-range-filter';
import { WorkflowSelect } from '../../components/library-select';
import { STATUSES, type Filters } from './model/filters';

interface Props {
  filters: Filters;
  active: boolean;
  set: (changes: Record<string, string | readonly string[] | null>) => void;
  clear: () => void;
}

const STATUS_DATA = STATUSES.map((value) => ({ value, label: EXECUTION_LOOKS[value].label }));
const MODE_DATA = [
  { value: 'LIVE', label: 'Live' },
  { value: 'TEST', label: 'Tests' },
];

export function ExecutionFilters({ filters, active, set, clear }: Props) {
  const { workflow, mode, time, reference } = filters;
  const folded = [workflow, mode, time.from ?? time.until, reference || null].filter((one) => one !== null).length;
  const status = (
    <MultiSelect
      aria-label="Status"
      placeholder={filters.status.length === 0 ? 'Any status' : undefined}
      data={STATUS_DATA}
      value={filters.status}
      onChange={(chosen) => set({ status: chosen })}
      clearable
      flex="1 1 190px"
      miw={0}
      maw={{ sm: 340 }}
    />
  );
  return (
    <Group gap="xs" mb="md" align="flex-end" role="search" aria-label="Filter the executions">
      <FilterFold first={status} active={folded} onClear={clear}>
        <WorkflowSelect flex="1 1 170px" maw={{ sm: 230 }} value={workflow} onChange={(chosen) => set({ workflow: chosen })} />
        <Select aria-label="Mode" placeholder="Live and tests" data={MODE_DATA} value={mode} onChange={(chosen) => set({ mode: chosen })} clearable flex="1 1 130px" maw={{ sm: 150 }} />
        <TimeRangeFilter />
        <SearchField label="Exact reference" value={reference} onChange={(text) => set({ reference: text })} />
      </FilterFold>
      {filters.origin !== null && <OnlyFilter onClear={() => set({ origin: null })}>What continues one execution</OnlyFilter>}
      {active && (
        <Button variant="subtle" onClick={clear} visibleFrom="sm">
          Clear filters
        </Button>
      )}
    </Group>
  );
}
