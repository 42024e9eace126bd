import { Group, MultiSelect, Select } from '@mantine/core';
import { FilterFold } from '../../components/filter-fold';
import { AgentSelect, WorkflowSelect } from '../../components/library-select';
import { useViewer } from '../../lib/use-viewer';
import { activeFilters, RISKS, type InboxFilters } from './model/filters';

const RISK_NAMES = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High', CRITICAL: 'Critical' } as const;

const SORTS = [
  { value: 'oldest', label: 'Oldest first' },
  { value: 'urgent', label: 'Most urgent first' },
  { value: 'risk', label: 'Riskiest first' },
];

const KINDS = [
  { value: 'STEP', label: 'Steps of workflows' },
  { value: 'EXTERNAL', label: 'Requests' },
  { value: 'CLARIFICATION', label: 'Questions' },
];

const SHOWN = [
  { value: 'mine', label: 'Waiting for me' },
  { value: 'stuck', label: 'No one can approve' },
];

const DUE = [
  { value: 'hour', label: 'Within an hour' },
  { value: 'day', label: 'Within a day' },
  { value: 'week', label: 'Within a week' },
];

/** As many beside each other as there is room for, two on a phone. */
const WIDTH = { flex: '1 1 130px', miw: 0 };

interface Props {
  filters: InboxFilters;
  onChange: (changes: Record<string, string | readonly string[] | null>) => void;
  onClear: () => void;
}

export function FilterBar({ filters, onChange, onClear }: Props) {
  const { can } = useViewer();
  const sort = <Select aria-label="Order" data={SORTS} value={filters.sort} onChange={(value) => onChange({ sort: value })} allowDeselect={false} flex="1 1 165px" miw={0} />;
  return (
    <Group gap="xs" mb="sm">
      <FilterFold first={sort} active={activeFilters(filters)} onClear={onClear}>
        {can('ADMIN') && (
          <Select aria-label="Show" data={SHOWN} value={filters.stuck ? 'stuck' : 'mine'} onChange={(value) => onChange({ stuck: value === 'stuck' ? 'true' : null })} allowDeselect={false} {...WIDTH} />
        )}
        <MultiSelect
          aria-label="Risk"
          placeholder={filters.risk.length === 0 ? 'Any risk' : ''}
          data={RISKS.map((value) => ({ value, label: RISK_NAMES[value] }))}
          value={[...filters.risk]}
          onChange={(value) => onChange({ risk: value })}
          {...WIDTH}
        />
        <WorkflowSelect value={filters.workflow} onChange={(workflow) => onChange({ workflow })} {...WIDTH} />
        <AgentSelect value={filters.agent} onChange={(agent) => onChange({ agent })} {...WIDTH} />
        <Select aria-label="Kind" placeholder="Any kind" data={KINDS} value={filters.kind} onChange={(value) => onChange({ kind: value })} clearable {...WIDTH} />
        <Select aria-label="Deadline" placeholder="Any deadline" data={DUE} value={filters.due} onChange={(value) => onChange({ due: value })} clearable {...WIDTH} />
      </FilterFold>
    </Group>
  );
}
