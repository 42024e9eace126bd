/*
 * The events of one execution, in the order of the journal and each once, whichever way it came: by a page of the history or by
 * the stream, before or after a lost connection. Everything else that the page shows of a run is derived from them.
 */

export interface Stored {
  readonly cursor: string;
}

/** Listeners hear of a burst once: a stream that catches up brings hundreds of events in one breath. */
const BURST_MS = 40;

export function createEventStore<Event extends Stored>(schedule: (work: () => void) => void = (work) => void setTimeout(work, BURST_MS)) {
  const cursors = new Set<string>();
  const pending: Event[] = [];
  let events: readonly Event[] = [];
  let scheduled = false;
  const listeners = new Set<() => void>();

  function flush() {
    scheduled = false;
    if (pending.length === 0) return;
    events = [...events, ...pending.splice(0)];
    for (const listener of listeners) listener();
  }

  return {
    add(more: readonly Event[]) {
      for (const event of more) {
        if (cursors.has(event.cursor)) continue;
        cursors.add(event.cursor);
        pending.push(event);
      }
      if (pending.length === 0 || scheduled) return;
      scheduled = true;
      schedule(flush);
    },
    /** The same list until there are more. */
    events: () => events,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
