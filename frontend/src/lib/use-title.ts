import { useEffect, useSyncExternalStore } from 'react';

/*
 * The tab's title: "(3) Inbox · Countersign". A page says its name, the shell the number; each may change without the other.
 */

let page = '';
let count = 0;
const listeners = new Set<() => void>();

function write(): void {
  document.title = [count > 0 ? `(${count}) ` : '', page === '' ? '' : `${page} · `, 'Countersign'].join('');
  for (const listener of listeners) listener();
}

export function useTitle(name: string): void {
  useEffect(() => {
    page = name;
    write();
  }, [name]);
}

export function useTitleCount(waiting: number): void {
  useEffect(() => {
    count = waiting;
    write();
  }, [waiting]);
}

/** The name of the page that is open, for screen readers, which do not notice a change of route. */
export function usePageName(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => page,
  );
}
