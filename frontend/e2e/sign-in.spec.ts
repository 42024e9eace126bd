import { expectAccessible } from './support/axe';
import { takeScreenshots } from './support/screenshots';
import { expect, test } from './support/test';

test('with a password, after a wrong one', async ({ page, api }) => {
  const person = await api.person('Ada Byron', ['APPROVER']);
  await page.goto('/executions?status=FAILED');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page).toHaveTitle('Sign in · Countersign');
  await takeScreenshots(page, 'sign-in');
  await expectAccessible(page);

  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('tabpanel').getByRole('alert')).toContainText(/password/i);
  await expectAccessible(page);

  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // Back where one wanted to go, with the filter.
  await expect(page).toHaveURL('/executions?status=FAILED');
  await expect(page.getByRole('heading', { name: 'Executions', level: 1 })).toBeVisible();
});

test('with a one-time link, which works once', async ({ page, api, consoleUrl }) => {
  const { link } = await api.invite('Grace Hopper', ['APPROVER']);
  const path = `/sign-in#${link.split('#')[1]}`;
  await page.goto(path);
  await expect(page).toHaveURL('/inbox');
  await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();

  await page.context().clearCookies();
  await page.goto('about:blank');
  await page.goto(consoleUrl + path);
  await expect(page.getByRole('alert').first()).toContainText('already been used');
  await expect(page).not.toHaveURL(/token=/);
});

test('with an API token, until it is forgotten', async ({ page, api }) => {
  await page.goto('/sign-in?next=/workflows');
  await page.getByRole('tab', { name: 'API token' }).click();
  await page.getByRole('textbox', { name: 'API token' }).fill('nonsense');
  await page.getByRole('button', { name: 'Use this token' }).click();
  await expect(page.getByRole('tabpanel').getByRole('alert')).toContainText('does not accept this token');
  await page.getByRole('textbox', { name: 'API token' }).fill(api.token);
  await page.getByRole('button', { name: 'Use this token' }).click();
  await expect(page).toHaveURL('/workflows');

  await page.getByRole('button', { name: /^You:/ }).click();
  await page.getByRole('menuitem', { name: 'Forget the API token' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
});

test('a page that is left before it knows who one is does not end the session', async ({ page, context, own: { server, url, api }, enter }) => {
  await enter(page, await api.person('Ada Byron', ['VIEWER']), `${url}/workflows`);
  await expect(page.getByRole('heading', { name: 'Workflows', level: 1 })).toBeVisible();
  const cookie = async () => (await context.cookies()).find(({ name }) => name === 'countersign_refresh')?.value;
  const before = await cookie();
  expect(before).toBeTruthy();

  // The server is slow with its answer, and nobody waits for it.
  const asked = new Promise<void>((resolve) => {
    void page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('RefreshSession')) return route.continue();
      server.pause();
      await route.continue();
      resolve();
    });
  });
  await page.goto(`${url}/executions`, { waitUntil: 'commit' });
  await asked;
  await page.goto('about:blank');
  server.resume();
  // The cookie has been used. The browser has the next one all the same.
  await expect.poll(cookie).not.toBe(before);
  expect(await cookie()).toBeTruthy();
});

test('an answer that is lost on its way signs nobody out', async ({ page, context, api, enter }) => {
  await enter(page, await api.person('Ada Byron', ['VIEWER']), '/workflows');
  await expect(page.getByRole('heading', { name: 'Workflows', level: 1 })).toBeVisible();
  const cookie = async () => (await context.cookies()).find(({ name }) => name === 'countersign_refresh')?.value;
  const before = await cookie();
  await page.route('**/graphql', async (route) => {
    const request = route.request();
    if (!request.postData()?.includes('RefreshSession')) return route.continue();
    // The server is asked and answers, but not through the browser: it learns of no new cookie.
    const { cookie: sent = '', origin = '' } = await request.allHeaders();
    const answer = await fetch(request.url(), { method: 'POST', headers: { cookie: sent, origin, 'content-type': 'application/json' }, body: request.postData() });
    expect(await answer.text()).toContain('accessToken');
    return route.abort();
  });
  await page.reload();
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  expect(await cookie()).toBe(before);
  await page.unroute('**/graphql');
  await again.click();
  await expect(page.getByRole('heading', { name: 'Workflows', level: 1 })).toBeVisible();
  expect(await cookie(), 'it has the cookie that it missed').not.toBe(before);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Workflows', level: 1 })).toBeVisible();
});

test('an expired session comes back to the page it left', async ({ page, api, enter }) => {
  const person = await api.person('Mary Shelley', ['ADMIN']);
  await enter(page, person, '/deliverables?type=CODE');
  await expect(page.getByRole('heading', { name: 'Deliverables' })).toBeVisible();
  await page.context().clearCookies();
  await page.reload();
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fdeliverables%3Ftype%3DCODE/);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deliverables?type=CODE');
});

test('who is signed out elsewhere is told so, and comes back to the page', async ({ page, api, enter, browser, baseURL }) => {
  const person = await api.person('Grace Hopper', ['VIEWER']);
  await enter(page, person, '/deliverables?type=CODE');
  await expect(page.getByRole('heading', { name: 'Deliverables' })).toBeVisible();
  const elsewhere = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await enter(elsewhere, person, '/settings/profile');
  // The one of the link by which the account was made, and that of the first page.
  const others = elsewhere.getByRole('button', { name: 'End it' });
  await others.first().click();
  await expect(others).toHaveCount(1);
  await others.click();
  await expect(page).toHaveURL('/sign-in?next=%2Fdeliverables%3Ftype%3DCODE&ended');
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deliverables?type=CODE');
  await elsewhere.context().close();
});
