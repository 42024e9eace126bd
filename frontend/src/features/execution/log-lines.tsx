import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { exactTime } from '../../lib/format';
import classes from './lists.module.css';
import type { LogLine } from './model/run';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const NEAR_END_PX = 40;

/** Lines in a box that scrolls by itself; it follows the end as long as one is there. */
export function LogLines({ lines, showStep }: { lines: readonly LogLine[]; showStep: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed to a memoised child
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 24,
    getItemKey: (index) => lines[index]?.cursor ?? index,
    overscan: 20,
  });

  useEffect(() => {
    if (following.current && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [lines.length, virtual]);

  function watch() {
    const element = box.current;
    if (element) following.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be within reach of the keyboard
    <div ref={box} className={classes.log} role="log" aria-label="Log" tabIndex={0} onScroll={watch}>
      <div style={{ position: 'relative', height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index];
          if (!line) return null;
          const at = Date.parse(line.at);
          return (
            <div key={key} ref={virtual.measureElement} data-index={index} className={classes.line} data-level={line.level} style={{ transform: `translateY(${start}px)` }}>
              <time dateTime={line.at} title={exactTime(at)}>
                {clock.format(at)}
              </time>
              <span className={classes.level}>{line.level}</span>
              <span className={classes.message}>
                {showStep && <b>{line.stepKey} </b>}
                {line.message}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
