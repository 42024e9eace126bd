import { expectAccessible } from './support/axe';
import { stopClock } from './support/clock';
import { untilLive } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { expect, test } from './support/test';
import { createTriage, startExecution } from './support/workflows';

test('the shell on a desktop: navigation, badge, title, toast, theme', async ({ page, api, enter }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  const person = await api.person('Ada Byron', ['ADMIN', 'APPROVER']);
  const live = untilLive(page);
  await page.clock.install();
  await enter(page, person, '/workflows');
  await live;
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Audit' })).toBeVisible();

  await stopClock(page);
  await api.requestApproval({ description: 'Refund 129.00 to order 4711' });
  // Live: nobody reloads.
  const toast = page.getByText('Refund 129.00 to order 4711');
  await expect(toast).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page).toHaveTitle(/^\(\d+\) Workflows · Countersign$/);
  // It stays while somebody points at it.
  await toast.hover();
  await page.clock.runFor(10_000);
  await expect(toast).toBeVisible();
  await page.getByRole('link', { name: 'Look at it' }).first().click();
  await expect(page).toHaveURL(/\/checkpoints\/chk_|\/checkpoints\//);
  // With another toast beside it. axe needs a clock that goes.
  await api.requestApproval({ description: 'Refund 12.00 to order 4718' });
  await expect(page.getByText('Refund 12.00 to order 4718')).toBeVisible();
  await page.clock.resume();
  await expectAccessible(page);

  await nav.getByRole('link', { name: /Inbox/ }).click();
  await expect(page.getByText('Refund 129.00 to order 4711').first()).toBeVisible();
  await takeScreenshots(page, 'inbox');

  await page.getByRole('button', { name: 'You: Ada Byron' }).click();
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.getByRole('menuitem', { name: 'Light' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(page);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(errors).toEqual([]);
});

test('a toast waits until a dialog is closed, whose buttons it could cover', async ({ page, api, enter }) => {
  const { workflowId } = await createTriage(api);
  const live = untilLive(page);
  await page.clock.install();
  await enter(page, await api.person('Ada Byron', ['OPERATOR', 'APPROVER']), `/workflows/${workflowId}`);
  await live;
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('dialog').getByLabel('Subject')).toBeFocused();
  const before = await page.title();
  await api.requestApproval({ description: 'Refund 75.00 to order 4712\nIt came back in March.' });
  await expect(page).not.toHaveTitle(before);
  await expect(page.getByText('Refund 75.00 to order 4712')).toBeHidden();
  await stopClock(page);
  await page.keyboard.press('Escape');
  await page.clock.runFor(1_000);
  // Its first line alone: a headline is enough.
  await expect(page.getByText('Refund 75.00 to order 4712', { exact: true })).toBeVisible();
});

test('what a double click opens stays open, and is not pressed by it', async ({ page, api, enter }) => {
  const { workflowId, worker } = await createTriage(api);
  const id = await startExecution(api, workflowId, { subject: 'Slow' });
  await worker.claim();
  await enter(page, await api.person('Ada Byron', ['ADMIN', 'OPERATOR']), '/policies');
  const dialog = page.getByRole('dialog');
  for (const motion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto('/policies');
    await page.getByRole('region', { name: 'Emergency stop' }).getByRole('button', { name: 'Emergency stop' }).dblclick({ delay: 60 });
    await expect(dialog.getByRole('button', { name: 'Stop now' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await page.goto(`/executions/${id}`);
    await page.getByRole('button', { name: /^search: Running/ }).dblclick({ delay: 60 });
    await expect(dialog.getByRole('tab', { name: 'Input' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
  }
});

for (const [where, width, height] of [['desktop', 1280, 800], ['phone', 360, 740]] as const) {
  test(`a toast does not cover the buttons with which one decides: ${where}`, async ({ page, api, enter }) => {
    await page.setViewportSize({ width, height });
    const id = await api.requestApproval({ description: 'Close the account of order 4713' });
    const live = untilLive(page);
    await page.clock.install();
    await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
    await live;
    const bar = page.getByRole('region', { name: 'Decide', exact: true });
    await expect(bar).toBeVisible();
    await stopClock(page);
    await api.requestApproval({ description: 'Close the account of order 4714' });
    const toast = page.getByRole('status').filter({ hasText: 'order 4714' }).last();
    await expect(toast).toBeVisible();
    await page.clock.runFor(1_000);
    const end = async () => ((box) => (box?.y ?? 0) + (box?.height ?? 0))(await toast.boundingBox());
    await expect.poll(end, 'it has come to rest above them').toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
  });
}

test('the shell on a phone: everything within reach of the thumb', async ({ page, api, enter }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const person = await api.person('Grace Hopper', ['APPROVER']);
  await api.requestApproval({ description: 'Close 25 accounts that nobody has used for a year', riskLevel: 'HIGH' });
  await enter(page, person);
  await expect(page.getByText('Close 25 accounts').first()).toBeVisible();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide, 'nothing sticks out').toBeLessThanOrEqual(360);
  await expectAccessible(page);
  for (const tab of await page.getByRole('navigation', { name: 'Main' }).getByRole('link').all()) {
    const box = await tab.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(48);
  }

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('an unknown address says so, and leads on', async ({ page, api, enter }) => {
  await enter(page, await api.person('Mary Shelley', ['VIEWER']), '/no/such/page');
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to the inbox' }).click();
  await expect(page).toHaveURL('/inbox');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Audit' })).toBeHidden();
});

test('a server that crashes: reconnecting is told, and nothing is missed', async ({ page, own: { server, url, api }, enter }) => {
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `${url}/inbox`);
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
  // By their rows: what is new is also read aloud.
  const rows = page.getByRole('row');
  await api.requestApproval({ description: 'The first' });
  await expect(rows.filter({ hasText: 'The first' })).toBeVisible();

  await server.stop('SIGKILL');
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await server.start();
  await api.requestApproval({ description: 'The second' });
  await expect(rows.filter({ hasText: 'The second' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Reconnecting…')).toBeHidden();
  await expect(rows.filter({ hasText: 'The first' })).toHaveCount(1);
});

test('an emergency stop is told to everybody, to administrators at once', async ({ page, own: { url, api }, enter }) => {
  const stop = 'mutation ($input: SetEmergencyStopInput!) { setEmergencyStop(input: $input) { userErrors { code message path } } }';
  await enter(page, await api.person('Ada Byron', ['ADMIN']), `${url}/workflows`);
  await expect(page.getByRole('heading', { name: 'No workflow yet' })).toBeVisible();
  await api.send(stop, { input: { stopped: true, reason: 'Refunds went to the wrong account' } });
  const banner = page.getByText('Emergency stop: nothing is approved without people');
  await expect(banner).toBeVisible();
  await expect(page.getByText('Refunds went to the wrong account')).toBeVisible();
  await takeScreenshots(page, 'emergency-stop');
  await expectAccessible(page);

  await enter(page, await api.person('Grace Hopper', ['VIEWER']), `${url}/workflows`);
  await expect(banner).toBeVisible();
});
