import { expectAccessible } from './support/axe';
import { complaintsOf, expectNoOverflow } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { expect, test } from './support/test';

test('somebody is invited by a link that is shown once', async ({ page, browser, api, enter, consoleUrl }) => {
  const complaints = complaintsOf(page);
  await enter(page, await api.person('Ada Byron', ['ADMIN']), '/settings/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  const email = `barbara.${Date.now()}@example.com`;
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Name').fill('Barbara Liskov');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = await dialog.getByLabel('Shown once').textContent();
  expect(link).toContain('/sign-in#token=');
  await expectAccessible(page);
  await takeScreenshots(page, 'settings-invite');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(link ?? '-')).toBeHidden();
  await page.getByLabel('Search people').fill('barbara');
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'settings-members');

  const theirs = await browser.newPage({ baseURL: consoleUrl });
  await theirs.goto(`/sign-in#${link?.split('#')[1]}`);
  await expect(theirs.getByRole('heading', { name: 'Inbox' })).toBeVisible();
  await theirs.close();

  await page.getByRole('button', { name: 'Actions for Barbara Liskov' }).click();
  await page.getByRole('menuitem', { name: 'Change roles' }).click();
  await page.getByRole('dialog').getByLabel('Author').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: /Barbara/ })).toContainText('Author');
  await page.getByRole('button', { name: 'Actions for Barbara Liskov' }).click();
  await page.getByRole('menuitem', { name: 'Lock out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lock out' }).click();
  await expect(page.getByRole('row', { name: /Barbara/ })).toContainText('Locked out');
  expect(complaints).toEqual([]);
});

test('an API token is shown once, works, and is taken back', async ({ page, api, enter, server }) => {
  await enter(page, await api.person('Ada Byron', ['ADMIN']), '/settings/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  const name = `Nightly worker ${Date.now()}`;
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const secret = (await dialog.getByLabel('Shown once').textContent()) ?? '';
  expect(secret.length).toBeGreaterThan(20);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(secret)).toBeHidden();
  const ask = () =>
    page.request.post(`${server.url}/graphql`, { headers: { authorization: `Bearer ${secret}` }, data: { query: '{ viewer { displayName } }' } });
  expect(await (await ask()).text()).toContain(name);
  await expectAccessible(page);
  await takeScreenshots(page, 'settings-tokens');

  await page.getByRole('row', { name: new RegExp(name) }).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Revoked');
  expect((await ask()).status()).toBe(401);
});

test('a service account with a token that is for one queue only', async ({ page, api, enter }) => {
  await enter(page, await api.person('Ada Byron', ['ADMIN']), '/settings/service-accounts');
  const name = `deploy-bot-${Date.now()}`;
  await page.getByRole('button', { name: 'New service account' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const account = page.getByRole('row', { name: new RegExp(name) });
  await expect(account).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'settings-service-accounts');

  await page.goto('/settings/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: false }).first().fill(`${name} token`);
  await dialog.getByRole('combobox', { name: 'Belongs to' }).click();
  await page.getByRole('option', { name }).click();
  await dialog.getByLabel('Can press the emergency stop').check();
  await dialog.getByRole('combobox', { name: 'Queues' }).fill('billing');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByLabel('Shown once')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const token = page.getByRole('row', { name: new RegExp(`${name} token`) });
  await expect(token).toContainText(`${name} (service account)`);
  await expect(token).toContainText('Operator, Emergency stop');
  await expect(token).toContainText('Queues: billing');

  await page.goto('/settings/service-accounts');
  await account.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(account).toContainText('Disabled');
  await page.goto('/settings/tokens');
  await expect(token).toContainText('Owner disabled');
});

test('a token on a phone: what it may do, when it was used and when it ends', async ({ page, api, enter, server }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const name = `Phone worker ${Date.now()}`;
  const { createApiToken } = await api.send<{ createApiToken: { secret: string } }>(
    'mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret userErrors { code message path } } }',
    { input: { name, roles: ['OPERATOR'], expiresAt: '2099-01-01T00:00:00Z' } },
  );
  await enter(page, await api.person('Ada Byron', ['ADMIN']), '/settings/tokens');
  const card = page.getByRole('listitem').filter({ hasText: name });
  await expect(card).toContainText('Operator · never used · ends 1 Jan 2099');
  await page.request.post(`${server.url}/graphql`, { headers: { authorization: `Bearer ${createApiToken.secret}` }, data: { query: '{ viewer { displayName } }' } });
  await expect(card).toContainText('used just now');
  await expectNoOverflow(page);
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(card).toContainText('Revoked');
  await expect(card.getByRole('button', { name: 'Revoke' })).toBeHidden();
});

test('groups, secrets and the workspace', async ({ page, api, enter }) => {
  const admin = await api.person('Ada Byron', ['ADMIN', 'APPROVER']);
  await enter(page, admin, '/settings/groups');
  const name = `finance-${Date.now()}`;
  await page.getByRole('button', { name: 'New group' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name }).click();
  await page.getByRole('combobox', { name: 'Add somebody' }).fill(admin.email);
  await page.getByRole('option', { name: new RegExp(admin.email) }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Members' }).getByText(admin.email, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'settings-group');

  await page.getByRole('link', { name: '← Groups' }).click();
  const search = page.getByRole('searchbox', { name: 'Search groups' });
  await search.fill(name.toUpperCase());
  await expect(page).toHaveURL(new RegExp(`q=${name.toUpperCase()}`));
  await expect(page.getByRole('link', { name })).toBeVisible();
  await search.fill('called like no other');
  await expect(page.getByRole('heading', { name: 'No group is called like that' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();

  await page.goto('/settings/secrets');
  await page.getByRole('button', { name: 'Set a secret' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('BANK_KEY');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill('s3cret');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Hosts' }).fill('api.bank.example');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Hosts' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Set', exact: true }).click();
  await expect(page.getByRole('row', { name: /BANK_KEY/ })).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'settings-secrets');

  await page.goto('/settings/workspace');
  await page.getByRole('switch', { name: 'Delete the content of what has been archived' }).check();
  await page.getByLabel('After so many days').fill('30');
  await page.getByRole('region', { name: 'Archived deliverables' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'settings-workspace');
});

test('my own things: name, password, absence, sessions, theme', async ({ page, api, enter }) => {
  const person = await api.person('Grace Hopper', ['APPROVER']);
  const delegate = await api.person('Alan Turing', ['APPROVER']);
  await enter(page, person, '/settings');
  await expect(page).toHaveURL('/settings/profile');
  await page.getByRole('textbox', { name: 'Name' }).fill('Grace B. Hopper');
  await page.getByRole('region', { name: 'You' }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'You: Grace B. Hopper' })).toBeVisible();

  await page.getByRole('button', { name: 'Set out of office' }).click();
  await expect(page.getByText('Choose who decides in your place.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Who decides in your place' }).fill(delegate.email);
  await page.getByRole('option', { name: new RegExp(delegate.email) }).click();
  await page.getByLabel('Until').fill('2099-01-01T09:00');
  await page.getByRole('button', { name: 'Set out of office' }).click();
  await expect(page.getByText('Alan Turing decides in your place')).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'settings-profile', { fullPage: true });
  await page.getByRole('button', { name: 'I am back' }).click();
  await expect(page.getByRole('button', { name: 'Set out of office' })).toBeVisible();

  const password = page.getByRole('region', { name: 'Password' });
  await password.getByRole('textbox', { name: 'Current password' }).fill('wrong password');
  await password.getByRole('textbox', { name: 'New password', exact: true }).fill('another fine password');
  await password.getByRole('textbox', { name: 'New password, again' }).fill('another fine password');
  await password.getByRole('button', { name: 'Change the password' }).click();
  await expect(password.getByText(/password/i).filter({ hasText: /not|wrong|incorrect/i }).first()).toBeVisible();
  await password.getByRole('textbox', { name: 'Current password' }).fill(person.password);
  await password.getByRole('button', { name: 'Change the password' }).click();
  await expect(page.getByText('Your password is changed')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Sessions' }).getByText('This one')).toBeVisible();

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Appearance' }).click();
  await page.getByRole('radio', { name: /^Dark/ }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(page);
  // What only administrators may do is not offered.
  await expect(page.getByRole('link', { name: 'API tokens' })).toBeHidden();
  await page.goto('/settings/tokens');
  await expect(page).toHaveURL('/settings/profile');

  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await page.goto('/settings/members');
  await expect(page.getByRole('list', { name: 'Members' })).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
});
