import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { exactTime } from '../../lib/format';
import classes from './lists.module.css';
import { createFollower } from './model/follow-end';
import type { LogLine } from './model/run';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Lines in a box that scrolls by itself; it follows the end as long as one is there. */
export function LogLines({ lines, showStep }: { lines: readonly LogLine[]; showStep: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [follower] = useState(createFollower);
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed to a memoised child
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 24,
    getItemKey: (index) => lines[index]?.cursor ?? index,
    overscan: 20,
  });

  useEffect(() => {
    if (follower.isFollowing() && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [lines.length, virtual, follower]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only to know that it is scrolled by hand
    <div
      ref={box}
      className={classes.log}
      role="log"
      aria-label="Log"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be within reach of the keyboard
      tabIndex={0}
      onScroll={({ currentTarget }) => follower.scroll(currentTarget)}
      onWheel={follower.touch}
      onPointerDown={follower.touch}
      onTouchMove={follower.touch}
      onKeyDown={follower.touch}
    >
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
