import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { count } from '../../lib/format';
import { ItemRows } from './item-rows';
import { chosenItems, searchItems, type Item } from './model/items';
import { Section } from './section';

export interface ItemSelection {
  all: readonly Item[];
  leftOut: ReadonlySet<string>;
  setLeftOut: (leftOut: ReadonlySet<string>) => void;
}

interface Props {
  selection: ItemSelection;
  editable: boolean;
}

/** The parts that can be approved alone: all are in until one is taken out. Ten thousand of them scroll as ten do. */
export function Items({ selection: { all, leftOut, setLeftOut }, editable }: Props) {
  const [text, setText] = useState('');
  const search = useDeferredValue(text);
  const found = useMemo(() => searchItems(all, search), [all, search]);
  const chosen = chosenItems(all, leftOut).length;
  const chosenHere = chosenItems(found, leftOut).length;

  function change(ids: readonly string[], into: boolean) {
    const next = new Set(leftOut);
    for (const id of ids) if (into) next.delete(id); else next.add(id);
    setLeftOut(next);
  }

  return (
    <Section title="Items" aside={<Text size="sm" c="dimmed">{editable ? `${count(chosen)} of ${count(all.length)} selected` : count(all.length)}</Text>}>
      <Group justify="space-between" mb="xs" gap="xs">
        {editable && (
          <Checkbox
            label={search === '' ? 'Select all' : `Select the ${count(found.length)} found`}
            checked={found.length > 0 && chosenHere === found.length}
            indeterminate={chosenHere > 0 && chosenHere < found.length}
            onChange={(event) => change(found.map(({ id }) => id), event.currentTarget.checked)}
          />
        )}
        <TextInput
          aria-label="Search the items"
          placeholder="Search"
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          flex="1 1 160px"
          maw={320}
        />
      </Group>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed">
          No item has these words.
        </Text>
      ) : (
        <ItemRows items={found} leftOut={leftOut} onChange={editable ? change : null} />
      )}
    </Section>
  );
}
