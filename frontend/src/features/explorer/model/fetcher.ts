import type { GraphiQLProps } from 'graphiql';
import type { ExecutionResult } from 'graphql';
import type { Client } from 'graphql-ws';
import type { createApi } from '../../../lib/api';
import { describe } from '../../../lib/errors';
import type { Operation } from '../../../lib/graphql';
import { socketErrors } from '../../../lib/socket';
import { pickOperation } from './pick-operation';

type Fetcher = GraphiQLProps['fetcher'];
type Observer = { next: (value: ExecutionResult) => void; error: (cause: unknown) => void; complete: () => void };

/** GraphiQL's way to the server: subscriptions over the socket, everything else over HTTP. */
export function createFetcher(send: ReturnType<typeof createApi>, socket: Pick<Client, 'subscribe'>) {
  const running = new Set<() => void>();

  function subscribe(operation: Operation, observer: Observer) {
    const stop = socket.subscribe<Record<string, unknown>>(operation, {
      next: (value) => observer.next(value as ExecutionResult),
      error: (cause) => {
        running.delete(stop);
        // A subscription that lost its connection for good still counts as a user of the socket, which would never close.
        stop();
        observer.error(socketErrors(cause));
      },
      complete: () => {
        running.delete(stop);
        observer.complete();
      },
    });
    running.add(stop);
    return { unsubscribe: stop };
  }

  const fetcher = async (...[{ query, variables, operationName }, options]: Parameters<Fetcher>) => {
    const picked = pickOperation(query, operationName ?? undefined);
    const operation = { query, variables: variables as Operation['variables'], operationName: picked.operationName };
    if (picked.isSubscription) return { subscribe: (observer: Observer) => subscribe(operation, observer) };
    try {
      return (await send(operation, { headers: options?.headers })).answer;
    } catch (error) {
      // Thrown, GraphiQL would show it with its stack.
      return { errors: [{ message: describe(error) }] };
    }
  };

  return {
    // GraphiQL's type has two older ways to subscribe as well, which it never uses.
    fetcher: fetcher as Fetcher,
    stopAll: () => running.forEach((stop) => stop()),
  };
}
