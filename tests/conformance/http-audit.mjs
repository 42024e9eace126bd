// Runs the audits of the GraphQL-over-HTTP specification against a server and prints a line for each.
import { auditServer } from 'graphql-http';

const [url] = process.argv.slice(2);

for (const { id, name, status, reason } of await auditServer({ url })) {
  console.log(JSON.stringify({ id, name, status, reason }));
}
