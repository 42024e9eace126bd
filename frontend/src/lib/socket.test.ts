import { expect, test, vi } from 'vitest';
import { ApiError } from './errors';
import { createSocketAccess, socketErrors } from './socket';

const FORBIDDEN = { code: 4403, reason: 'Forbidden' };
const LOST = { code: 1006, reason: '' };

function setUp({ kept = null, renewed = 'two' }: { kept?: string | null; renewed?: string | null } = {}) {
  const session = {
    token: vi.fn(async (): Promise<string | null> => 'one'),
    replace: vi.fn(async () => renewed),
    end: vi.fn(),
  };
  const access = createSocketAccess({ session, apiToken: { read: () => kept } });
  const close = (event: typeof LOST) => {
    access.closed(event);
    return access.shouldRetry(event);
  };
  return { session, access, close };
}

test('each connection asks for the token of the moment', async () => {
  const { session, access } = setUp();
  expect(await access.connectionParams()).toEqual({ Authorization: 'Bearer one' });
  session.token.mockResolvedValueOnce('later');
  expect(await access.connectionParams()).toEqual({ Authorization: 'Bearer later' });
});

test('a lost connection is tried again with no refresh', async () => {
  const { session, access, close } = setUp();
  await access.connectionParams();
  expect(close(LOST)).toBe(true);
  await access.connectionParams();
  expect(session.replace).not.toHaveBeenCalled();
});

test('an expired token is replaced, and again after the next long connection', async () => {
  const { session, access, close } = setUp();
  await access.connectionParams();
  access.connected();
  expect(close(FORBIDDEN)).toBe(true);
  expect(await access.connectionParams()).toEqual({ Authorization: 'Bearer two' });
  expect(session.replace).toHaveBeenCalledExactlyOnceWith('one');
  access.connected();
  expect(close(FORBIDDEN)).toBe(true);
  expect(session.end).not.toHaveBeenCalled();
});

test('many subscriptions on one refused connection count as one refusal', async () => {
  const { session, access, close } = setUp();
  await access.connectionParams();
  expect([close(FORBIDDEN), access.shouldRetry(FORBIDDEN), access.shouldRetry(FORBIDDEN)]).toEqual([true, true, true]);
  expect(session.end).not.toHaveBeenCalled();
});

test('a fresh token that is refused as well ends the session', async () => {
  const { session, access, close } = setUp();
  await access.connectionParams();
  close(FORBIDDEN);
  await access.connectionParams();
  expect(close(FORBIDDEN)).toBe(false);
  expect(session.end).toHaveBeenCalledOnce();
});

test('a refused API token is not tried again and ends no session', async () => {
  const { session, access, close } = setUp({ kept: 'api' });
  expect(await access.connectionParams()).toEqual({ Authorization: 'Bearer api' });
  expect(close(FORBIDDEN)).toBe(false);
  expect(session.end).not.toHaveBeenCalled();
});

test('signed out is final, an unreachable server is not', async () => {
  const { access, close } = setUp({ renewed: null });
  await access.connectionParams();
  close(FORBIDDEN);
  await expect(access.connectionParams()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(access.shouldRetry(new ApiError('UNAUTHENTICATED', ''))).toBe(false);
  expect(access.shouldRetry(new ApiError('UNREACHABLE', ''))).toBe(true);
});

test.each([
  [[{ message: 'No such field.' }], 'No such field.'],
  [FORBIDDEN, 'The server ended the connection: the access token has expired or was revoked.'],
  [{ code: 4400, reason: 'Bad' }, 'The server ended the connection (code 4400).'],
  [new Event('error'), 'The connection to the server was lost.'],
  [new ApiError('UNAUTHENTICATED', 'You are signed out.'), 'You are signed out.'],
])('shows %o as %j', (cause, message) => {
  expect(socketErrors(cause)).toEqual([{ message }]);
});
