import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { CodeText } from '../../lib/code-text';
import { exactTime } from '../../lib/format';
import { Plain } from '../../lib/plain';
import classes from './lists.module.css';
import { describeEvent } from './model/describe-event';
import type { RunEvent } from './run-event';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** All that happened, the oldest first, in words. */
export function HistoryList({ events }: { events: readonly RunEvent[] }) {
  const box = useRef<HTMLDivElement>(null);
  const told = useMemo(
    () =>
      events.flatMap((event) => {
        const text = describeEvent(event);
        return text === null ? [] : [{ text, event }];
      }),
    [events],
  );
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed to a memoised child
  const virtual = useVirtualizer({
    count: told.length,
    getScrollElement: () => box.current,
    estimateSize: () => 36,
    getItemKey: (index) => told[index]?.event.cursor ?? index,
    overscan: 15,
  });
  if (told.length === 0) return <Text size="sm" c="dimmed">Nothing has happened yet.</Text>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be within reach of the keyboard
    <div ref={box} className={classes.history} tabIndex={0} role="region" aria-label="History">
      <div role="list" style={{ position: 'relative', height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = told[index];
          if (!row) return null;
          const at = Date.parse(row.event.at);
          return (
            <div key={key} role="listitem" ref={virtual.measureElement} data-index={index} className={classes.event} style={{ transform: `translateY(${start}px)` }}>
              <time dateTime={row.event.at} title={exactTime(at)}>
                {clock.format(at)}
              </time>
              <span><CodeText>{row.text}</CodeText></span>
              <small><Plain>{row.event.actor.displayName ?? ''}</Plain></small>
            </div>
          );
        })}
      </div>
    </div>
  );
}
