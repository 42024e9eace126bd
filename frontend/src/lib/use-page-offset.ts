import { useLayoutEffect, useState, type RefObject } from 'react';

/** How far below the top of the page an element is, also after a banner or another row of filters moved it. */
export function usePageOffset(element: RefObject<HTMLElement | null>, present: boolean): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    if (!present) return;
    const measure = () => setOffset(Math.round((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element, present]);
  return offset;
}
