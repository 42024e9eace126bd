import type { Client } from 'graphql-ws';

/** `idle` is a socket that nobody needs; only `reconnecting` is bad news. */
export type ConnectionState = 'idle' | 'connecting' | 'live' | 'reconnecting';

export type Connection = ReturnType<typeof createConnection>;

const NORMAL_CLOSURE = 1000;

/** What people should know about the socket, and the moment at which it came back. */
export function createConnection(socket: Pick<Client, 'on'>) {
  let state: ConnectionState = 'idle';
  const listeners = new Set<() => void>();
  const returns = new Set<() => void>();
  const arrivals = new Set<() => void>();

  function become(next: ConnectionState) {
    if (next === state) return;
    const back = next === 'live' && state === 'reconnecting';
    state = next;
    for (const listener of listeners) listener();
    if (back) for (const listener of returns) listener();
    if (next === 'live') for (const listener of arrivals) listener();
  }

  socket.on('connecting', () => become(state === 'reconnecting' ? 'reconnecting' : 'connecting'));
  socket.on('connected', () => become('live'));
  socket.on('closed', (event) => become(isNormal(event) ? 'idle' : 'reconnecting'));

  return {
    state: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Calls the listener each time when the connection begins: for the first time, and whenever it is back. */
    onLive(listener: () => void): () => void {
      arrivals.add(listener);
      return () => arrivals.delete(listener);
    },
    /** Calls the listener each time when a lost connection is back. */
    onReturn(listener: () => void): () => void {
      returns.add(listener);
      return () => returns.delete(listener);
    },
  };
}

function isNormal(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'code' in event && event.code === NORMAL_CLOSURE;
}
