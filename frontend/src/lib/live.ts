import type { Client } from 'graphql-ws';
import { ApiError } from './errors';
import { socketErrors } from './socket';

/*
 * Subscriptions that miss nothing. A stream whose document has a variable `$after` remembers the cursor of its last event, and
 * goes on after it whenever the connection is back; the server replays what happened meanwhile. What is not about the
 * connection, such as a missing role, ends the stream.
 */

export interface LiveRequest {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

export interface LiveSink {
  next: (value: { data?: Record<string, unknown> | null; errors?: { message: string }[] }) => void;
  error: (cause: unknown) => void;
  complete: () => void;
}

interface LiveDeps {
  socket: Pick<Client, 'subscribe'>;
  wait: (retries: number) => Promise<void>;
}

export function createLive({ socket, wait }: LiveDeps) {
  return function follow(request: LiveRequest, sink: LiveSink): () => void {
    const resumable = /\$after\b/.test(request.query);
    let cursor: string | null = null;
    let retries = 0;
    let stopped = false;
    let stop = () => {};

    const payload = {
      ...request,
      // Read each time that graphql-ws sends it, which it does after every reconnection.
      get variables() {
        return cursor === null ? request.variables : { ...request.variables, after: cursor };
      },
    };

    async function again() {
      await wait(retries);
      retries += 1;
      if (!stopped) start();
    }

    function start() {
      stop = socket.subscribe<Record<string, unknown>>(payload, {
        next(value) {
          retries = 0;
          const at = resumable ? cursorOf(value.data) : null;
          if (at !== null && at === cursor) return;
          cursor = at ?? cursor;
          sink.next(value as Parameters<LiveSink['next']>[0]);
        },
        error(cause) {
          // Lets go of the socket, which a subscription that failed would otherwise keep open.
          stop();
          if (resumable && !stopped && isAboutConnection(cause)) void again();
          else sink.error(Array.isArray(cause) ? cause : socketErrors(cause));
        },
        complete() {
          // These streams have no end of their own: a server that ends one is stopping.
          if (resumable && !stopped) void again();
          else sink.complete();
        },
      });
    }

    start();
    return () => {
      stopped = true;
      stop();
    };
  };
}

/** A list of errors is an answer of the server's, and signed out is for good; everything else is a matter of time. */
function isAboutConnection(cause: unknown): boolean {
  return !Array.isArray(cause) && !(cause instanceof ApiError && cause.code === 'UNAUTHENTICATED');
}

function cursorOf(data: Record<string, unknown> | null | undefined): string | null {
  const event = Object.values(data ?? {}).find((value) => typeof value === 'object' && value !== null);
  return event && 'cursor' in event && typeof event.cursor === 'string' ? event.cursor : null;
}
