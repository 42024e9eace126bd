import { createClient, subscriptionExchange, type Client } from '@urql/core';
import { send } from './api';
import { createCache } from './cache';
import { createConnection } from './connection';
import { createLive, type LiveSink } from './live';
import { sendExchange } from './send-exchange';
import { GRAPHQL_PATH } from './graphql';
import { createSocket } from './socket';
import { waitToRetry } from './socket-wait';

const socket = createSocket({ retryAttempts: Number.POSITIVE_INFINITY, retryWait: waitToRetry });
const follow = createLive({ socket, wait: waitToRetry });

export const connection = createConnection(socket);

export const client: Client = createClient({
  url: GRAPHQL_PATH,
  preferGetMethod: false,
  // Shows what is known at once and asks the server as well: events keep what is shown fresh, but only while it is shown.
  requestPolicy: 'cache-and-network',
  exchanges: [
    createCache(),
    sendExchange(send),
    subscriptionExchange({
      forwardSubscription: ({ query, variables, operationName }) => ({
        subscribe: (observer) => ({
          unsubscribe: follow({ query: query ?? '', variables, operationName }, observer as LiveSink),
        }),
      }),
    }),
  ],
});
