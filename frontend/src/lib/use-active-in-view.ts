import { useEffect, useRef } from 'react';

/** For a row of tabs or links that scrolls: the one that is chosen is in sight, also after a link from elsewhere. */
export function useActiveInView<Row extends HTMLElement>(selector: string, chosen: string) {
  const row = useRef<Row>(null);
  useEffect(() => {
    if (chosen === '') return;
    const box = row.current;
    const active = box?.querySelector<HTMLElement>(selector);
    // Not `scrollIntoView`, which would move the page as well.
    if (box && active) box.scrollLeft = active.offsetLeft - box.offsetLeft - (box.clientWidth - active.clientWidth) / 2;
  }, [selector, chosen]);
  return row;
}
