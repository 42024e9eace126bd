import { Badge, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { count } from '../../lib/format';
import classes from './checkpoint.module.css';
import { chosenItems, factsOf, searchItems, type Item } from './model/items';
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
        <Rows items={found} leftOut={leftOut} onChange={editable ? change : null} />
      )}
    </Section>
  );
}

interface RowsProps {
  items: readonly Item[];
  leftOut: ReadonlySet<string>;
  onChange: ((ids: readonly string[], into: boolean) => void) | null;
}

function Rows({ items, leftOut, onChange }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- this component has nothing that is worth memoising
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => 58,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 8,
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be within reach of the keyboard
    <div ref={box} className={classes.itemsBox} role="region" aria-label="The items" tabIndex={0}>
      <div className={classes.itemsBody} role="list" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const item = items[index];
          if (!item) return null;
          const out = leftOut.has(item.id);
          return (
            <div key={key} ref={virtual.measureElement} data-index={index} role="listitem" className={classes.item} data-out={onChange !== null && out} style={{ transform: `translateY(${start}px)` }}>
              {onChange && <Checkbox aria-label={item.label} checked={!out} onChange={() => onChange([item.id], out)} />}
              <ItemText item={item} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function ItemText({ item: { label, action, data } }: { item: Item }) {
  return (
    <div className={classes.itemText}>
      <Group gap={8}>
        <Text span size="sm" fw={600} inherit>
          {label}
        </Text>
        {action !== null && (
          <Badge size="sm" color="gray">
            {action}
          </Badge>
        )}
      </Group>
      <div className={classes.itemData}>
        {factsOf(data).map((fact) => (
          <span key={fact.label}>
            {fact.label === '' ? '' : `${fact.label}: `}
            {fact.value}
          </span>
        ))}
      </div>
    </div>
  );
}
