import { useEffect, useRef } from 'react';

type Ask = (options: { requestPolicy: 'network-only' }) => void;

/**
 * Asks the server again, once after a burst of calls. It asks what the page is about by then: filters may have changed since the
 * call, and urql's `ask` belongs to the variables that it was made with.
 */
export function useRefresh(ask: Ask, ms: number): () => void {
  const latest = useRef(ask);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  useEffect(() => {
    latest.current = ask;
  });

  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );

  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current({ requestPolicy: 'network-only' });
    }, ms);
  };
}
