import { Badge, Checkbox, Group, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { visible } from '../../lib/hidden';
import { KeyLabel, Plain } from '../../lib/plain';
import classes from './checkpoint.module.css';
import { factsOf, type Item } from './model/items';

interface Props {
  items: readonly Item[];
  leftOut: ReadonlySet<string>;
  /** Absent for what can only be looked at. */
  onChange: ((ids: readonly string[], into: boolean) => void) | null;
}

/** Only the rows in sight are in the page. */
export function ItemRows({ items, leftOut, onChange }: Props) {
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
              {onChange && <Checkbox id={`item ${item.id}`} aria-label={visible(item.label)} checked={!out} onChange={() => onChange([item.id], out)} />}
              <ItemText item={item} htmlFor={onChange ? `item ${item.id}` : undefined} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Not only the small box can be hit, all of its row can. */
function ItemText({ item: { label, action, data }, htmlFor }: { item: Item; htmlFor: string | undefined }) {
  return (
    <label className={classes.itemText} htmlFor={htmlFor}>
      <Group gap={8}>
        <Text span size="sm" fw={600} inherit>
          <Plain>{label}</Plain>
        </Text>
        {action !== null && (
          <Badge size="sm" color="gray">
            <Plain>{action}</Plain>
          </Badge>
        )}
      </Group>
      <div className={classes.itemData}>
        {factsOf(data).map((fact) => (
          <span key={fact.key}>
            {fact.key === '' ? '' : <><KeyLabel name={fact.key} label={fact.label} />: </>}
            <Plain>{fact.value}</Plain>
          </span>
        ))}
      </div>
    </label>
  );
}
