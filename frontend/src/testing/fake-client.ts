import { createClient, subscriptionExchange, type Client } from '@urql/core';
import { createCache } from '../lib/cache';
import type { Answer, Operation } from '../lib/graphql';
import { sendExchange } from '../lib/send-exchange';

type Respond = (operation: Operation) => Answer | Promise<Answer>;

/** The console's client with its real cache, and a function in place of the server. Throw from it to be unreachable. */
export function fakeClient(respond: Respond): Client {
  const send = async (operation: Operation) => ({ status: 200, retryAfterSeconds: null, answer: await respond(operation) });
  return createClient({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [
      createCache(),
      sendExchange(send as Parameters<typeof sendExchange>[0]),
      subscriptionExchange({ forwardSubscription: () => ({ subscribe: () => ({ unsubscribe: () => {} }) }) }),
    ],
  });
}
