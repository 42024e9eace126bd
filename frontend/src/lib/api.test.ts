import { expect, test, vi } from 'vitest';
import { createApi } from './api';
import { createPost } from './graphql';

const DATA = { data: { viewer: null } };
const REFUSED = { errors: [{ message: 'Expired.', extensions: { code: 'UNAUTHENTICATED' } }] };

/** A server that knows only these tokens. */
function setUp({ good, kept = null, held = null, renewed = null }: Record<'good', string[]> & Partial<Record<'kept' | 'held' | 'renewed', string | null>>) {
  const seen: string[] = [];
  const fetchImpl = async (_: unknown, init?: RequestInit) => {
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    seen.push(token);
    const known = good.includes(token);
    return new Response(JSON.stringify(known ? DATA : REFUSED), { status: known ? 200 : 401 });
  };
  const session = { token: vi.fn(async () => held), replace: vi.fn(async () => renewed) };
  return { seen, session, send: createApi({ post: createPost(fetchImpl), session, apiToken: { read: () => kept } }) };
}

test('an API token is used instead of the session, and is never refreshed', async () => {
  const { send, seen, session } = setUp({ good: [], kept: 'api', held: 'session' });
  expect((await send({ query: '{ viewer }' })).status).toBe(401);
  expect(seen).toEqual(['api']);
  expect(session.replace).not.toHaveBeenCalled();
});

test('a refused access token is replaced once', async () => {
  const { send, seen, session } = setUp({ good: ['new'], held: 'old', renewed: 'new' });
  expect((await send({ query: '{ viewer }' })).answer).toEqual(DATA);
  expect(seen).toEqual(['old', 'new']);
  expect(session.replace).toHaveBeenCalledExactlyOnceWith('old');
});

test('a second refusal is the answer', async () => {
  const { send, seen } = setUp({ good: [], held: 'old', renewed: 'new' });
  expect((await send({ query: '{ viewer }' })).answer).toEqual(REFUSED);
  expect(seen).toEqual(['old', 'new']);
});

test('sends nothing when nobody is signed in', async () => {
  const { send, seen } = setUp({ good: [] });
  await expect(send({ query: '{ viewer }' })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(seen).toEqual([]);
});
