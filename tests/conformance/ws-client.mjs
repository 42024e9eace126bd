// Speaks graphql-transport-ws with its reference client: a query, a mutation, and then the audit log for ever.
// Prints a line for each thing that happens; whoever started it ends it.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, token, after] = process.argv.slice(2);
const tell = (what) => console.log(JSON.stringify(what));

const client = createClient({
  url,
  webSocketImpl: WebSocket,
  connectionParams: { Authorization: `Bearer ${token}` },
  // One socket for everything, also while no operation runs.
  lazyCloseTimeout: 60_000,
  retryAttempts: Infinity,
  retryWait: () => new Promise((done) => setTimeout(done, 20)),
  // A server that is starting again refuses connections for a moment.
  shouldRetry: () => true,
  on: { closed: ({ code, reason }) => code && tell({ closed: { code, reason } }) },
});

async function only(payload) {
  const results = [];
  for await (const result of client.iterate(payload)) results.push(result);
  if (results.length !== 1) throw new Error(`expected one result, got ${JSON.stringify(results)}`);
  return results[0];
}

// The client resends this object when it connects again: the cursor goes with it.
const watch = {
  query: 'subscription($after: String!) { auditEvents(after: $after) { cursor entry { action details } } }',
  variables: { after },
};

tell({ query: await only({ query: '{ viewer { displayName } }' }) });
tell({ mutation: await only({ query: 'mutation { createGroup(input: {name: "Node"}) { group { name } } }' }) });
await only({ query: '{ nonsense }' }).catch((errors) => tell({ refused: errors }));
for (;;) {
  for await (const { data } of client.iterate(watch)) {
    watch.variables.after = data.auditEvents.cursor;
    tell({ event: data.auditEvents.entry });
  }
}
