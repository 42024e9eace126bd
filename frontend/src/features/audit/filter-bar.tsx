import { Group, MultiSelect, Pill, Text } from '@mantine/core';
import { PersonPicker } from '../../components/person-picker';
import { TimeRangeFilter } from '../../components/time-range-filter';
import { count, words } from '../../lib/format';
import { ACTION_GROUPS, type Filters } from './model/filters';

interface Props {
  filters: Filters;
  total: number | null;
  onChange: (changes: Record<string, string | readonly string[] | null>) => void;
}

export function FilterBar({ filters, total, onChange }: Props) {
  // These come by links from elsewhere; here they can only be taken away.
  const linked = { subject: filters.subjectId, execution: filters.executionId, checkpoint: filters.checkpointId };
  return (
    <Group gap="sm" mb="md" align="flex-start">
      <MultiSelect
        aria-label="Actions"
        placeholder={filters.actions.length === 0 ? 'Any action' : ''}
        searchable
        clearable
        w={{ base: '100%', xs: 280 }}
        // Or an empty field stands in a row of its own below the first choice.
        styles={{ inputField: { minWidth: 40 } }}
        value={filters.actions}
        onChange={(action) => onChange({ action })}
        nothingFoundMessage="No such action"
        data={Object.entries(ACTION_GROUPS).map(([group, actions]) => ({ group, items: actions.map((action) => ({ value: action, label: words(action) })) }))}
      />
      <PersonPicker compact lockedOutToo w={{ base: 'calc(50% - 6px)', xs: 220 }} label="Who" placeholder="Anybody" value={filters.actorId} onChange={(actor) => onChange({ actor })} />
      <TimeRangeFilter label="When" />
      {Object.entries(linked).map(([name, id]) =>
        id === null ? null : (
          <Pill key={name} size="md" withRemoveButton onRemove={() => onChange({ [name]: null })} removeButtonProps={{ 'aria-label': `Of any ${name}` }}>
            {name} {id}
          </Pill>
        ),
      )}
      {total !== null && (
        <Text size="sm" c="dimmed" py={8}>
          {total === 1 ? 'One entry' : `${count(total)} entries`}
        </Text>
      )}
    </Group>
  );
}
