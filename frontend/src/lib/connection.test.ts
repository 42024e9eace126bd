import type { Client } from 'graphql-ws';
import { expect, test, vi } from 'vitest';
import { createConnection } from './connection';

function setUp() {
  const handlers = new Map<string, (event?: unknown) => void>();
  const on = ((name: string, handler: (event?: unknown) => void) => {
    handlers.set(name, handler);
    return () => {};
  }) as unknown as Client['on'];
  const connection = createConnection({ on });
  return { connection, emit: (name: string, event?: unknown) => handlers.get(name)?.(event) };
}

test('only a connection that was lost is reconnecting', () => {
  const { connection, emit } = setUp();
  const seen: string[] = [];
  connection.subscribe(() => seen.push(connection.state()));
  emit('connecting');
  emit('connected');
  emit('closed', { code: 1006 });
  emit('connecting');
  emit('closed', { code: 1006 });
  emit('connecting');
  emit('connected');
  emit('closed', { code: 1000 });
  expect(seen).toEqual(['connecting', 'live', 'reconnecting', 'live', 'idle']);
});

test('who waits for its beginning or its return hears of it once each time', () => {
  const { connection, emit } = setUp();
  const back = vi.fn();
  const begins = vi.fn();
  connection.onLive(begins);
  const stop = connection.onReturn(back);
  emit('connecting');
  emit('connected');
  expect(back).not.toHaveBeenCalled();
  expect(begins).toHaveBeenCalledOnce();
  emit('closed', { code: 1006 });
  emit('connected');
  expect(back).toHaveBeenCalledOnce();
  expect(begins).toHaveBeenCalledTimes(2);
  stop();
  emit('closed', { code: 1006 });
  emit('connected');
  expect(back).toHaveBeenCalledOnce();
});
