const LONGEST_MS = 15_000;

/** 0.5 s, 1 s, 2 s … at most 15 s, each up to half as long again: a restarted server should not meet everybody at once. */
export function backoff(retries: number, random: () => number = Math.random): number {
  return Math.min(500 * 2 ** Math.min(retries, 10), LONGEST_MS) * (1 + random() / 2);
}

/** Waits for the next try; a browser that comes back online or to the front is a reason not to wait any longer. */
export function waitToRetry(retries: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', whenVisible);
      resolve();
    };
    const whenVisible = () => {
      if (document.visibilityState === 'visible') done();
    };
    const timer = setTimeout(done, backoff(retries));
    addEventListener('online', done);
    document.addEventListener('visibilitychange', whenVisible);
  });
}
