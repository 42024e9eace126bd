import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useState } from 'react';
import { rowsToMake, type RowKey } from './model/gradual-rows';

/**
 * The rows of a list that are made, rather than only kept a place for. Whoever scrolls by a screen or more at once would wait for
 * all of the new rows; this way frames stay short, and the rows come in the next few.
 */
export function useGradualRows(virtual: Virtualizer<Window, Element>): ReadonlySet<RowKey> {
  const [turn, setTurn] = useState<{ places: readonly VirtualItem[] } | null>(null);
  const places = virtual.getVirtualItems();
  // Only scrolling is in a hurry, and what it has begun: what a page shows at first, or changes to, is there at once.
  const gradual = virtual.isScrolling || turn?.places === places;
  // Rows that were made are measured.
  const made = gradual ? rowsToMake(places, virtual.elementsCache, virtual.range) : new Set(places.map(({ key }) => key));
  const missing = places.length - made.size;
  useLayoutEffect(() => (missing > 0 ? afterFrame(() => setTurn({ places })) : undefined), [missing, places]);
  return made;
}

/** When the frame that is being prepared has been painted: a callback for an animation still belongs to that frame. */
function afterFrame(call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(call);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
