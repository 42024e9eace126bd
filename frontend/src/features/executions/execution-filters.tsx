import { Button, Group, MultiSelect, Select } from '@mantine/core';
import { EXECUTION_LOOKS } from '../../components/model/status';
import { OnlyFilter } from '../../components/only-filter';
import { SearchField } from '../../components/search-field';
import { TimeRangeFilter } from '../../components/time-range-filter';
import { WorkflowSelect } from '../../components/workflow-select';
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
  return (
    <Group gap="xs" mb="md" align="flex-end" role="search" aria-label="Filter the executions">
      <MultiSelect
        aria-label="Status"
        placeholder={filters.status.length === 0 ? 'Any status' : undefined}
        data={STATUS_DATA}
        value={filters.status}
        onChange={(status) => set({ status })}
        clearable
        flex="1 1 190px"
        maw={{ sm: 340 }}
      />
      <WorkflowSelect flex="1 1 170px" maw={{ sm: 230 }} value={filters.workflow} onChange={(workflow) => set({ workflow })} />
      <Select aria-label="Mode" placeholder="Live and tests" data={MODE_DATA} value={filters.mode} onChange={(mode) => set({ mode })} clearable flex="1 1 160px" maw={{ sm: 150 }} />
      <TimeRangeFilter />
      <SearchField label="Exact reference" value={filters.reference} onChange={(reference) => set({ reference })} />
      {filters.origin !== null && <OnlyFilter onClear={() => set({ origin: null })}>What continues one execution</OnlyFilter>}
      {active && (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
