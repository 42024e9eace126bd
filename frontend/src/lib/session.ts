import { ApiError } from './errors';
import { dataOf, post, type Post } from './graphql';
import { throwUserError, type SessionPayload } from './payload';

/*
 * The signed-in person's session. The access token lives here, in memory, and nowhere else; what survives a reload is the
 * server's HttpOnly cookie, which `refreshSession` trades for a new access token.
 *
 * An unreachable server never signs anybody out: only the server's own "no session" does.
 */

export type SessionState =
  | { status: 'starting' }
  | { status: 'signed-in'; accessToken: string; expiresAt: number }
  /** `ended` when the server ended a session that was in use here. */
  | { status: 'signed-out'; ended?: true }
  | { status: 'failed'; error: unknown };

export interface SessionDeps {
  post: Post;
  now: () => number;
  /** Runs the callback after the delay; the result cancels it. */
  schedule: (callback: () => void, delayMs: number) => () => void;
  /** Keeps tabs from spending the same refresh cookie at the same time. */
  exclusive: <T>(work: () => Promise<T>) => Promise<T>;
}

export type Session = ReturnType<typeof createSession>;

const REFRESH_MUTATION = `mutation RefreshSession {
  refreshSession { session { accessToken expiresAt } userErrors { code message path } }
}`;

const REFRESH_EARLY_MS = 30_000;
// A floor, so that a clock that is ahead of the server's cannot turn the timer into a busy loop.
const SHORTEST_DELAY_MS = 15_000;
// Browsers run a timer at once when its delay does not fit 32 bits.
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export function createSession({ post: send, now, schedule, exclusive }: SessionDeps) {
  let state: SessionState = { status: 'starting' };
  let inFlight: Promise<void> | null = null;
  // Counts sign-outs: a refresh that was under way during one must not sign the person in again.
  let signOuts = 0;
  let cancelTimer = () => {};
  const listeners = new Set<() => void>();

  function become(next: SessionState) {
    state = next;
    cancelTimer();
    if (next.status === 'signed-in') refreshIn(next.expiresAt - now() - REFRESH_EARLY_MS);
    for (const listener of listeners) listener();
  }

  function refreshIn(delayMs: number) {
    // `|| 0` is for an expiry that could not be read.
    const delay = Math.min(Math.max(delayMs || 0, SHORTEST_DELAY_MS), LONGEST_DELAY_MS);
    cancelTimer = schedule(() => {
      refresh().catch(() => {
        // Somebody with a session keeps it while the server is away; ask again later.
        if (state.status === 'signed-in') refreshIn(SHORTEST_DELAY_MS);
      });
    }, delay);
  }

  async function requestSession(): Promise<void> {
    const before = signOuts;
    try {
      // The answer has the next cookie. A page that is left before it comes would leave the browser with the one that was used. The
      // server gives such an answer again for as long as nobody has used anything of it, but it is better not to need that.
      const reply = await exclusive(() => send<{ refreshSession: SessionPayload }>({ query: REFRESH_MUTATION }, { outlivesPage: true }));
      const payload = dataOf(reply).refreshSession;
      throwUserError(payload);
      if (!payload.session) throw new ApiError('UNAUTHENTICATED', 'There is no session.');
      const { accessToken, expiresAt } = payload.session;
      if (before === signOuts) become({ status: 'signed-in', accessToken, expiresAt: Date.parse(expiresAt) });
    } catch (error) {
      if (before !== signOuts) return;
      if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return become({ status: 'signed-out', ...(state.status === 'signed-in' && { ended: true }) });
      if (state.status !== 'signed-in') become({ status: 'failed', error });
      throw error;
    }
  }

  /** Gets a new access token; callers at the same time share one request. Rejects when the server gives no answer. */
  function refresh(): Promise<void> {
    inFlight ??= requestSession().finally(() => {
      inFlight = null;
    });
    return inFlight;
  }

  const heldToken = () => (state.status === 'signed-in' ? state.accessToken : null);

  /** A token to send now, or null when nobody is signed in. */
  async function token(): Promise<string | null> {
    // Timers sleep with the laptop, so a token's age is checked at each use as well.
    const expired = state.status === 'signed-in' && state.expiresAt <= now();
    if (expired || state.status === 'starting' || state.status === 'failed') await refresh();
    return heldToken();
  }

  return {
    refresh,
    token,
    state: () => state,

    /** The token to use instead of one that the server refused: at most one refresh for any number of refusals. */
    async replace(refused: string): Promise<string | null> {
      if (heldToken() !== refused) return token();
      await refresh();
      return heldToken();
    },

    /** Finds out whether somebody is signed in; after a failure, does so again. The state tells how it went. */
    async start(): Promise<void> {
      if (state.status === 'failed') become({ status: 'starting' });
      await refresh().catch(() => {});
    },

    end(): void {
      signOuts += 1;
      become({ status: 'signed-out' });
    },

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const session: Session = createSession({
  post,
  now: () => Date.now(),
  schedule: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  // Web Locks need a secure context; over plain HTTP on another host, tabs go unprotected.
  exclusive: (work) => (navigator.locks ? navigator.locks.request('countersign.refresh', work) : work()),
});
