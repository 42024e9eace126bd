import { test as base, type Page } from '@playwright/test';
import { Api, type Person } from './api';
import { openConsole } from './console';
import { CountersignServer } from './server';

interface Shared {
  server: CountersignServer;
  /** Where the console is; pages are opened by path. */
  consoleUrl: string;
  /** An administrator's API. */
  api: Api;
}

interface Each {
  /** A server for this test alone, to be stopped, counted or filled; pages are opened by their whole address. */
  own: { server: CountersignServer; url: string; api: Api };
  /** Signs somebody in without the form, and opens a page. */
  enter: (page: Page, person: Person, path?: string) => Promise<void>;
}

/** Tests share their worker's server; one that stops it, or counts everything in it, takes its `own`. */
export const test = base.extend<Each, Shared>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const server = await CountersignServer.create();
      await use(server);
      await server.destroy();
    },
    { scope: 'worker' },
  ],
  consoleUrl: [
    async ({ server }, use) => {
      const site = await openConsole(server.url);
      await use(site.url);
      await site.close();
    },
    { scope: 'worker' },
  ],
  api: [async ({ server }, use) => use(await Api.admin(server)), { scope: 'worker' }],
  baseURL: async ({ consoleUrl }, use) => use(consoleUrl),
  // oxlint-disable-next-line no-empty-pattern -- as above
  own: async ({}, use) => {
    const server = await CountersignServer.create();
    const site = await openConsole(server.url);
    await use({ server, url: site.url, api: await Api.admin(server) });
    await site.close();
    await server.destroy();
  },
  enter: async ({ consoleUrl }, use) => {
    await use(async (page, { email, password }, path = '/inbox') => {
      // The browser keeps the cookie of this answer, and the console makes a session of it.
      const address = new URL(path, consoleUrl);
      await page.request.post(`${address.origin}/graphql`, {
        data: {
          query: 'mutation ($input: SignInInput!) { signIn(input: $input) { session { expiresAt } userErrors { code } } }',
          variables: { input: { email, password } },
        },
      });
      await page.goto(address.href);
    });
  },
});

export { expect } from '@playwright/test';
