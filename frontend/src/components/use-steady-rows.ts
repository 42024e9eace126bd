import type { VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import type { RowKey } from './model/gradual-rows';

/** As long as a hand needs that is already on its way, or the second click of a double one. */
const MOMENT_MS = 400;

/**
 * Whoever presses a button means the row that they saw there. When rows take the places of others, as they do when one of them is
 * decided, or when something above moves them all, nothing in the list can be pressed for a moment. The keyboard says which row it
 * means, and always works.
 */
export function useSteadyRows(box: RefObject<Pick<HTMLElement, 'animate'> | null>, places: readonly VirtualItem[], offset: number, steady: boolean): void {
  const before = useRef<{ offset: number; rows: ReadonlyMap<number, RowKey> }>({ offset, rows: new Map() });
  const held = useRef<Pick<Animation, 'playState'> | null>(null);
  useLayoutEffect(() => {
    if (!steady) return;
    const { rows, offset: was } = before.current;
    const moved = (was !== 0 && was !== offset) || places.some(({ index, key }) => rows.has(index) && rows.get(index) !== key);
    before.current = { offset, rows: new Map(places.map(({ index, key }) => [index, key])) };
    // A list in which rows move all the time is held again and again, but not without an end.
    if (!moved || held.current?.playState === 'running') return;
    held.current = box.current?.animate({ pointerEvents: ['none', 'none'] }, MOMENT_MS) ?? null;
  }, [box, places, offset, steady]);
}
