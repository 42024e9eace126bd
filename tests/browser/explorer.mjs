// A one-time link signs in, GraphiQL answers a query, streams a subscription, and is still signed in after a reload.
// Arguments: the sign-in link, and an API token to make something happen with.
import { withPage } from './browser.mjs';

const [link, token] = process.argv.slice(2);
const origin = new URL(link).origin;

/** Makes a group, so that the audit log has something to stream. */
async function createGroup(name) {
  const query = 'mutation($name: String!) { createGroup(input: {name: $name}) { userErrors { message } } }';
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { name } }),
  });
  const { data } = await response.json();
  if (data.createGroup.userErrors.length > 0) throw new Error(JSON.stringify(data));
}

await withPage(async (page) => {
  await page.goto(link);
  await page.waitForURL(`${origin}/inbox`);
  await page.goto(`${origin}/graphiql`);
  const result = page.locator('.result-window');
  // GraphiQL ignores its button until both editors are there.
  await page.locator('.graphiql-query-editor').getByText('displayName').waitFor();
  await result.locator('.monaco-editor').waitFor();

  await page.getByRole('button', { name: /execute query/i }).click();
  await result.getByText('"ADMIN"').waitFor();

  await page.getByRole('tab', { name: 'AuditEvents' }).click();
  await page.getByRole('button', { name: /execute query/i }).click();
  // The socket's subscription starts some time after the click: make things happen until one of them is seen.
  const seen = result.getByText('GROUP_CREATED').waitFor();
  let over = false;
  seen.finally(() => (over = true)).catch(() => {});
  for (let n = 0; !over; n++) await createGroup(`group ${n}`);
  await seen;

  await page.reload();
  await page.getByText('API explorer').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${origin}/sign-in**`);
});
console.log('ok');
