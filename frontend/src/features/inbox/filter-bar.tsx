import { Button, Collapse, Group, MultiSelect, Select } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { AgentSelect } from '../../components/agent-select';
import { WorkflowSelect } from '../../components/workflow-select';
import classes from './inbox.module.css';
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

const DUE = [
  { value: 'hour', label: 'Within an hour' },
  { value: 'day', label: 'Within a day' },
  { value: 'week', label: 'Within a week' },
];

interface Props {
  filters: InboxFilters;
  onChange: (changes: Record<string, string | readonly string[] | null>) => void;
  onClear: () => void;
}

export function FilterBar({ filters, onChange, onClear }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [opened, { toggle }] = useDisclosure(false);
  const active = activeFilters(filters);
  const sort = <Select aria-label="Order" data={SORTS} value={filters.sort} onChange={(value) => onChange({ sort: value })} allowDeselect={false} />;

  const controls = (
    <div className={classes.filters}>
      {!phone && sort}
      <MultiSelect
        aria-label="Risk"
        placeholder={filters.risk.length === 0 ? 'Any risk' : ''}
        data={RISKS.map((value) => ({ value, label: RISK_NAMES[value] }))}
        value={[...filters.risk]}
        onChange={(value) => onChange({ risk: value })}
        clearable
      />
      <WorkflowSelect value={filters.workflow} onChange={(workflow) => onChange({ workflow })} />
      <AgentSelect value={filters.agent} onChange={(agent) => onChange({ agent })} />
      <Select aria-label="Kind" placeholder="Any kind" data={KINDS} value={filters.kind} onChange={(value) => onChange({ kind: value })} clearable />
      <Select aria-label="Deadline" placeholder="Any deadline" data={DUE} value={filters.due} onChange={(value) => onChange({ due: value })} clearable />
    </div>
  );
  if (!phone) return controls;
  return (
    <>
      <Group mb="xs" wrap="nowrap">
        {sort}
        <Button variant="default" flex="none" leftSection={<IconAdjustmentsHorizontal size={16} />} onClick={toggle} aria-expanded={opened}>
          {active > 0 ? `Filters (${active})` : 'Filters'}
        </Button>
        {active > 0 && (
          <Button variant="subtle" px={4} flex="none" onClick={onClear}>
            Clear
          </Button>
        )}
      </Group>
      <Collapse expanded={opened}>{controls}</Collapse>
    </>
  );
}
