// Speaks graphql-sse with its reference client: a query, a mutation, and then the audit log for ever.
// Prints a line for each thing that happens; whoever started it ends it.
import { createClient } from 'graphql-sse';

const [url, token, after] = process.argv.slice(2);
const tell = (what) => console.log(JSON.stringify(what));

const client = createClient({
  url,
  headers: { authorization: `Bearer ${token}` },
  retryAttempts: Infinity,
  retry: () => new Promise((done) => setTimeout(done, 20)),
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
tell({ refused: await only({ query: '{ nonsense }' }) });
tell({ refused: await only({ query: '{' }) });
for (;;) {
  for await (const { data } of client.iterate(watch)) {
    watch.variables.after = data.auditEvents.cursor;
    tell({ event: data.auditEvents.entry });
  }
  tell({ completed: true });
}
