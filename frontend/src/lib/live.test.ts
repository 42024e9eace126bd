import type { Client } from 'graphql-ws';
import { expect, test, vi } from 'vitest';
import { ApiError } from './errors';
import { createLive } from './live';

const RESUMABLE = 'subscription Events($after: String) { events(after: $after) { cursor } }';
const FINITE = 'subscription Backtest { backtest { done } }';

type Sink = Parameters<Client['subscribe']>[1];

/** A socket that keeps what was subscribed to, so that a test can play the server. */
function setUp(query = RESUMABLE, variables: Record<string, unknown> = { kind: 'x' }) {
  const started: { payload: { variables?: unknown }; sink: Sink }[] = [];
  const stop = vi.fn();
  const socket = {
    subscribe: ((payload: { variables?: unknown }, sink: Sink) => {
      started.push({ payload, sink });
      return stop;
    }) as unknown as Client['subscribe'],
  };
  const waits: number[] = [];
  const wait = async (retries: number) => {
    waits.push(retries);
  };
  const sink = { next: vi.fn(), error: vi.fn(), complete: vi.fn() };
  const end = createLive({ socket, wait })({ query, variables }, sink);
  const last = () => {
    const current = started.at(-1);
    if (!current) throw new Error('nothing was subscribed to');
    return current;
  };
  const event = (cursor: string) => last().sink.next({ data: { events: { cursor } } });
  return { started, stop, waits, sink, end, last, event };
}

const sent = (payload: object) => JSON.parse(JSON.stringify(payload)) as { variables: unknown };

test('begins as it was asked to, and goes on after the last event', () => {
  const { last, event } = setUp();
  expect(sent(last().payload).variables).toEqual({ kind: 'x' });
  event('c1');
  event('c2');
  // What graphql-ws sends when it has connected again.
  expect(sent(last().payload).variables).toEqual({ kind: 'x', after: 'c2' });
});

test('a cursor that it was given counts until there is a newer one', () => {
  const { last, event } = setUp(RESUMABLE, { after: 'page' });
  expect(sent(last().payload).variables).toEqual({ after: 'page' });
  event('c1');
  expect(sent(last().payload).variables).toEqual({ after: 'c1' });
});

test('the same event twice is one event', () => {
  const { event, sink } = setUp();
  event('c1');
  event('c1');
  event('c2');
  expect(sink.next).toHaveBeenCalledTimes(2);
});

test.each([
  ['a close code that graphql-ws takes for final', { code: 1011, reason: 'oops' }],
  ['a broken message', new Error('bad')],
  ['a server that cannot be reached', new ApiError('UNREACHABLE', '')],
])('%s starts it again after a pause, with the cursor', async (_, cause) => {
  const { started, last, event, sink, stop, waits } = setUp();
  event('c1');
  last().sink.error(cause);
  await vi.waitFor(() => expect(started).toHaveLength(2));
  expect(waits).toEqual([0]);
  expect(stop).toHaveBeenCalledOnce();
  expect(sent(last().payload).variables).toEqual({ kind: 'x', after: 'c1' });
  expect(sink.error).not.toHaveBeenCalled();
});

test('the pauses grow until something arrives', async () => {
  const { started, last, event, waits } = setUp();
  last().sink.error(new Error('1'));
  await vi.waitFor(() => expect(started).toHaveLength(2));
  last().sink.error(new Error('2'));
  await vi.waitFor(() => expect(started).toHaveLength(3));
  event('c1');
  last().sink.complete();
  await vi.waitFor(() => expect(started).toHaveLength(4));
  expect(waits).toEqual([0, 1, 0]);
});

test('what the server refuses ends it', async () => {
  const refusal = [{ message: 'this needs the role ADMIN', extensions: { code: 'FORBIDDEN' } }];
  const { last, sink, started } = setUp();
  last().sink.error(refusal);
  await Promise.resolve();
  expect(sink.error).toHaveBeenCalledExactlyOnceWith(refusal);
  expect(started).toHaveLength(1);
});

test('signed out ends it as well', () => {
  const { last, sink } = setUp();
  last().sink.error(new ApiError('UNAUTHENTICATED', 'You are signed out.'));
  expect(sink.error).toHaveBeenCalledOnce();
});

test('who stops listening is left alone', async () => {
  const { last, end, started, sink } = setUp();
  end();
  last().sink.complete();
  await Promise.resolve();
  expect(started).toHaveLength(1);
  expect(sink.complete).toHaveBeenCalledOnce();
});

test('a stream without a cursor ends when the server says so', () => {
  const { last, sink, started } = setUp(FINITE);
  last().sink.complete();
  expect(sink.complete).toHaveBeenCalledOnce();
  expect(started).toHaveLength(1);
});
