import { useSyncExternalStore } from 'react';

/* One clock for everything that ticks: a thousand relative times need one timer, not a thousand. */

interface Clock {
  now: () => number;
  subscribe: (listener: () => void) => () => void;
}

function createClock(everyMs: number): Clock {
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const listeners = new Set<() => void>();
  const tick = () => {
    now = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    now: () => now,
    subscribe(listener) {
      if (listeners.size === 0) {
        now = Date.now();
        timer = setInterval(tick, everyMs);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
}

const seconds = createClock(1_000);
const slow = createClock(10_000);

/** The time, which moves on by itself: every second, or every ten for what is not watched that closely. */
export function useNow(precision: 'second' | 'slow' = 'slow'): number {
  const clock = precision === 'second' ? seconds : slow;
  return useSyncExternalStore(clock.subscribe, clock.now);
}
