import { beforeEach, expect, test, vi } from 'vitest';
import { createPost } from './graphql';
import { createSession } from './session';

const START = Date.parse('2030-01-01T00:00:00Z');
const MINUTE = 60_000;

let now: number;
let timer: { callback: () => void; delayMs: number } | null;
let fetchImpl: ReturnType<typeof vi.fn<() => Promise<Response>>>;

beforeEach(() => {
  now = START;
  timer = null;
  fetchImpl = vi.fn<() => Promise<Response>>();
});

function newSession() {
  return createSession({
    post: createPost(fetchImpl),
    now: () => now,
    schedule: (callback, delayMs) => {
      const mine = { callback, delayMs };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
    exclusive: (work) => work(),
  });
}

const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);
const granted = (accessToken: string, lifetimeMs = 15 * MINUTE) =>
  json({
    data: {
      refreshSession: { session: { accessToken, expiresAt: new Date(now + lifetimeMs).toISOString() }, userErrors: [] },
    },
  });
const refused = () =>
  json({ data: { refreshSession: { session: null, userErrors: [{ code: 'UNAUTHENTICATED', message: 'No session.' }] } } });

test('callers at the same time share one refresh', async () => {
  fetchImpl.mockImplementation(async () => granted('one'));
  const session = newSession();
  expect(await Promise.all([session.token(), session.token(), session.refresh().then(() => session.token())])).toEqual([
    'one',
    'one',
    'one',
  ]);
  expect(fetchImpl).toHaveBeenCalledTimes(1);
});

test('sends the cookie and no token, and the answer with the next cookie is kept though the page may be left', async () => {
  fetchImpl.mockImplementation(async () => granted('one'));
  await newSession().token();
  expect(fetchImpl).toHaveBeenCalledWith('/graphql', {
    method: 'POST',
    credentials: 'same-origin',
    keepalive: true,
    headers: { accept: 'application/graphql-response+json, application/json', 'content-type': 'application/json' },
    body: expect.stringContaining('refreshSession'),
  });
});

test('refreshes shortly before the token expires', async () => {
  fetchImpl.mockImplementationOnce(async () => granted('one'));
  const session = newSession();
  await session.start();
  expect(timer?.delayMs).toBe(15 * MINUTE - 30_000);

  fetchImpl.mockImplementationOnce(async () => granted('two'));
  now += 15 * MINUTE - 30_000;
  timer?.callback();
  await vi.waitFor(() => expect(session.state()).toMatchObject({ accessToken: 'two' }));
});

test.each([
  ['a clock ahead of the server', -MINUTE, 15_000],
  ['a lifetime of a hundred days', 100 * 24 * 60 * MINUTE, 2 ** 31 - 1],
])('the timer stays sane with %s', async (_, lifetimeMs, delayMs) => {
  fetchImpl.mockImplementation(async () => granted('one', lifetimeMs));
  await newSession().start();
  expect(timer?.delayMs).toBe(delayMs);
});

test('a token that expired while the laptop slept is replaced before it is used', async () => {
  fetchImpl.mockImplementationOnce(async () => granted('one'));
  const session = newSession();
  expect(await session.token()).toBe('one');
  now += 14 * MINUTE;
  expect(await session.token()).toBe('one');

  fetchImpl.mockImplementationOnce(async () => granted('two'));
  now += MINUTE;
  expect(await session.token()).toBe('two');
});

test('any number of refusals of one token cause one refresh', async () => {
  fetchImpl.mockImplementationOnce(async () => granted('one'));
  const session = newSession();
  await session.start();

  fetchImpl.mockImplementationOnce(async () => granted('two'));
  expect(await Promise.all([session.replace('one'), session.replace('one')])).toEqual(['two', 'two']);
  // This refusal was under way while the token was replaced.
  expect(await session.replace('one')).toBe('two');
  expect(fetchImpl).toHaveBeenCalledTimes(2);
});

test('no session means signed out, and is not asked for again', async () => {
  fetchImpl.mockImplementation(async () => refused());
  const session = newSession();
  const listener = vi.fn();
  session.subscribe(listener);
  expect(await session.token()).toBeNull();
  expect(session.state()).toEqual({ status: 'signed-out' });
  expect(listener).toHaveBeenCalledTimes(1);
  expect(await session.token()).toBeNull();
  expect(fetchImpl).toHaveBeenCalledTimes(1);
  expect(timer).toBeNull();
});

test.each([
  ['the network fails', async () => Promise.reject(new TypeError('Failed to fetch')), 'UNREACHABLE'],
  ['a proxy answers in HTML', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 'UNREACHABLE'],
  [
    'there were too many attempts',
    async () => json({ errors: [{ message: 'Slow down.', extensions: { code: 'RATE_LIMITED' } }] }, { status: 429 }),
    'RATE_LIMITED',
  ],
])('when %s at the start, that is a failure and not a sign-out', async (_, answer, code) => {
  fetchImpl.mockImplementationOnce(answer);
  const session = newSession();
  await session.start();
  expect(session.state()).toMatchObject({ status: 'failed', error: { code } });

  fetchImpl.mockImplementationOnce(async () => granted('one'));
  await session.start();
  expect(session.state()).toMatchObject({ status: 'signed-in', accessToken: 'one' });
});

test('an unreachable server does not sign anybody out later either', async () => {
  fetchImpl.mockImplementationOnce(async () => granted('one'));
  const session = newSession();
  await session.start();

  fetchImpl.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  timer?.callback();
  await vi.waitFor(() => expect(timer?.delayMs).toBe(15_000));
  expect(await session.token()).toBe('one');

  fetchImpl.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  now += 15 * MINUTE;
  await expect(session.token()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(session.state()).toMatchObject({ status: 'signed-in' });
});

test('signing out wins over a refresh that was under way', async () => {
  fetchImpl.mockImplementationOnce(async () => granted('late'));
  const session = newSession();
  const token = session.token();
  session.end();
  expect(await token).toBeNull();
  expect(session.state()).toEqual({ status: 'signed-out' });
});
