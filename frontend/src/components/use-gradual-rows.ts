import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useReducer } from 'react';
import { rowsToMake, type RowKey } from './model/gradual-rows';

/**
 * The rows of a list that are made, rather than only kept a place for. Whoever scrolls by a screen or more at once would wait for
 * all of the new rows; this way frames stay short, and the rows come in the next few.
 */
export function useGradualRows(virtual: Virtualizer<Window, Element>): ReadonlySet<RowKey> {
  const [, goOn] = useReducer((turns: number) => turns + 1, 0);
  const places = virtual.getVirtualItems();
  // Only scrolling is in a hurry: what a page begins with, or changes to, is there at once. Rows that were made are measured.
  const made = virtual.isScrolling ? rowsToMake(places, virtual.elementsCache, virtual.range) : new Set(places.map(({ key }) => key));
  const missing = places.length - made.size;
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other places that lack as many rows are another turn
  useLayoutEffect(() => (missing > 0 ? inNextFrame(goOn) : undefined), [missing, places]);
  return made;
}

/** What is asked for while a frame is prepared is called within that frame: the next one is one further. */
function inNextFrame(call: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(call);
  });
  return () => cancelAnimationFrame(frame);
}
