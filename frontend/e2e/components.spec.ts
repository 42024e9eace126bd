import { expect, test } from '@playwright/test';
import { build, preview } from 'vite';
import { expectAccessible } from './support/axe';
import { policy } from './support/console';
import { busyTime } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';

/* The shared components as they are built, under the policy that the server sends: no eval, nothing from elsewhere. */

const OUT = 'test-results/gallery';
let url = '';
let close = async () => {};

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  await build({ logLevel: 'error', build: { outDir: OUT, emptyOutDir: true, rolldownOptions: { input: 'e2e/gallery/index.html' } } });
  const site = await preview({
    logLevel: 'error',
    build: { outDir: OUT },
    preview: { port: 0, host: '127.0.0.1', headers: { 'content-security-policy': policy() } },
  });
  const address = site.httpServer.address();
  url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/e2e/gallery/index.html` : '';
  close = () => site.close();
});

test.afterAll(() => close());

test('all of them work under the policy, in both themes', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await expect(page.getByLabel('Recipient')).toHaveValue('ada@example.com');
  await expect(page.locator('.cm-content')).toHaveCount(2);
  await expect(page.locator('.react-flow__node')).toHaveCount(5);
  await expect(page.getByRole('heading', { name: 'Report' })).toBeVisible();
  await takeScreenshots(page, 'components');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(complaints).toEqual([]);
});

test('a form and its JSON are two views of one value', async ({ page }) => {
  await page.goto(url);
  const form = page.getByRole('region', { name: 'Form' });
  await form.getByLabel('Amount').fill('900');
  await expect(page.getByTestId('valid')).toHaveText('false');
  await form.getByLabel('Amount').fill('90');
  await expect(page.getByTestId('valid')).toHaveText('true');
  await expect(page.getByRole('region', { name: 'Field by field' }).getByRole('row', { name: /amount/ })).toContainText('12990');
  await form.getByText('JSON', { exact: true }).click();
  await expect(form.locator('.cm-content')).toContainText('"amount": 90');
});

test('a large value folds, is searched and keeps its digits', async ({ page }) => {
  await page.goto(url);
  const json = page.getByRole('region', { name: 'JSON' });
  await expect(json.locator('.cm-content')).toContainText('12345678901234567890');
  await json.locator('.cm-content').click();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('Row 19999');
  await page.keyboard.press('Enter');
  await expect(json.locator('.cm-content')).toContainText('"Row 19999"');
  expect(await json.locator('.cm-line').count()).toBeLessThan(200);
});

test('steps of the graph are reached and chosen by the keyboard', async ({ page }) => {
  await page.goto(url);
  await page.locator('.react-flow__node').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('selected')).toHaveText('read');
});

test('ten thousand rows scroll smoothly, because few of them are there', async ({ page }) => {
  await page.goto(url);
  const list = page.getByRole('table', { name: 'Rows' });
  await expect(list.getByRole('row', { name: /Row 0 / })).toBeAttached();
  await list.scrollIntoViewIfNeeded();
  // As fast as a wheel can turn. Counted is what the page does, not what else the machine does meanwhile.
  const busy = await busyTime(page);
  const before = await busy();
  await page.evaluate(async () => {
    for (let step = 0; step < 60; step += 1) {
      window.scrollBy(0, 1_500);
      await new Promise(requestAnimationFrame);
    }
  });
  expect(((await busy()) - before) / 60, 'seconds for each frame').toBeLessThan(0.1);
  expect(await list.getByRole('row').count()).toBeLessThan(120);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(list.getByRole('row', { name: /Row 9999 / })).toBeVisible();
});
