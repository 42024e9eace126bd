import { createClient, type Client, type ClientOptions } from 'graphql-ws';
import { apiToken, type ApiTokenStore } from './api-token';
import { ApiError, describe, hasCode } from './errors';
import { GRAPHQL_PATH } from './graphql';
import { session, type Session } from './session';

/** The server closes with this code when the token that opened the connection expired or was revoked. */
const FORBIDDEN = 4403;

interface SocketDeps {
  session: Pick<Session, 'token' | 'replace' | 'end'>;
  apiToken: Pick<ApiTokenStore, 'read'>;
}

/** The answers to graphql-ws's questions about access, apart from the socket itself so that they can be tested. */
export function createSocketAccess(deps: SocketDeps) {
  let sent: { token: string; renewable: boolean } | null = null;
  let refused: string | null = null;
  let refusals = 0;

  async function sessionToken(): Promise<string> {
    const token = await (refused === null ? deps.session.token() : deps.session.replace(refused));
    if (token === null) throw new ApiError('UNAUTHENTICATED', 'You are signed out.');
    return token;
  }

  return {
    /** Called for each connection and reconnection, so that none starts with an old token. */
    async connectionParams(): Promise<Record<string, unknown>> {
      const chosen = deps.apiToken.read();
      sent = { token: chosen ?? (await sessionToken()), renewable: chosen === null };
      return { Authorization: `Bearer ${sent.token}` };
    },

    connected(): void {
      refused = null;
      refusals = 0;
    },

    closed(event: unknown): void {
      if (closeCode(event) !== FORBIDDEN) return;
      refused = sent?.token ?? null;
      refusals += 1;
    },

    /** Asked once for every subscription that lost its connection, hence free of counting. */
    shouldRetry(cause: unknown): boolean {
      if (cause instanceof ApiError) return hasCode(cause, 'UNREACHABLE');
      if (closeCode(cause) !== FORBIDDEN) return true;
      // Nothing can renew an API token; its owner has to replace it.
      if (!sent?.renewable) return false;
      if (refusals < 2) return true;
      // A token fresh from the server was refused as well: this session is over.
      deps.session.end();
      return false;
    },
  };
}

const PING_MS = 20_000;
const PONG_WITHIN_MS = 8_000;

/** One socket for all subscriptions of the page, opened with the first and closed after the last. */
export function createSocket(options: Pick<ClientOptions, 'retryAttempts' | 'retryWait'> = { retryAttempts: 10 }): Client {
  const { connectionParams, connected, closed, shouldRetry } = createSocketAccess({ session, apiToken });
  const client = createClient({
    url: () => {
      const url = new URL(GRAPHQL_PATH, location.href);
      url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
      return url.href;
    },
    connectionParams,
    shouldRetry,
    on: { connected, closed },
    keepAlive: PING_MS,
    // Pages come and go; their subscriptions should not each shake hands anew.
    lazyCloseTimeout: 3_000,
    ...options,
  });
  terminateWhenSilent(client);
  return client;
}

/** A laptop that woke up elsewhere has a socket that looks open and is not: one unanswered ping ends it. */
function terminateWhenSilent(client: Client): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  client.on('ping', (received) => {
    if (received) return;
    clearTimeout(timer);
    timer = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
  });
  client.on('pong', (received) => {
    if (received) clearTimeout(timer);
  });
  client.on('closed', () => clearTimeout(timer));
}

/** Turns what graphql-ws reports into what GraphQL reports: a list of errors. */
export function socketErrors(cause: unknown): readonly { message: string }[] {
  if (Array.isArray(cause)) return cause;
  return [{ message: cause instanceof ApiError ? describe(cause) : lossMessage(closeCode(cause)) }];
}

function lossMessage(code: number | null): string {
  if (code === null) return 'The connection to the server was lost.';
  if (code === FORBIDDEN) return 'The server ended the connection: the access token has expired or was revoked.';
  return `The server ended the connection (code ${code}).`;
}

function closeCode(cause: unknown): number | null {
  if (typeof cause !== 'object' || cause === null || !('code' in cause) || !('reason' in cause)) return null;
  return typeof cause.code === 'number' ? cause.code : null;
}
