import { useEffect, useRef } from 'react';

/**
 * For a row of tabs or links that scrolls: the one that is chosen is in sight, also after a link from elsewhere, when it comes
 * later than the row, and when the window becomes narrower. What somebody scrolls afterwards stays.
 */
export function useActiveInView<Row extends HTMLElement>(selector: string, chosen: string) {
  const row = useRef<Row>(null);
  const shown = useRef('');

  useEffect(() => {
    const box = row.current;
    if (!box || chosen === '') return;
    const show = () => {
      const active = box.querySelector<HTMLElement>(selector);
      if (!active) return;
      const now = `${chosen} ${box.clientWidth} ${active.offsetLeft}`;
      if (now === shown.current) return;
      shown.current = now;
      // Not `scrollIntoView`, which would move the page as well.
      box.scrollLeft = active.offsetLeft - box.offsetLeft - (box.clientWidth - active.clientWidth) / 2;
    };
    show();
    const observer = new ResizeObserver(show);
    observer.observe(box);
    return () => observer.disconnect();
  });

  return row;
}
