import { expectAccessible } from './support/axe';
import { complaintsOf, expectNoOverflow } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { deliver, openShop, refund } from './support/stories';
import { expect, test } from './support/test';

/** Everything that would set the mark if any of it ran. */
const MARK = "document.documentElement.dataset.hacked = 'yes'; try { top.hacked = 'yes' } catch {}";
const HOSTILE_HTML = `<!doctype html><title>x</title><h1>Quarterly report</h1>
<script>${MARK}</script><img src="nothing" onerror="${MARK}"><svg onload="${MARK}"></svg>
<iframe srcdoc="<script>${MARK}</script>"></iframe><a href="javascript:${MARK}">Click</a>
<meta http-equiv="refresh" content="1;url=https://elsewhere.example/"><form action="https://elsewhere.example/"><button>Send</button></form>`;
const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80" onload="${MARK}"><script>${MARK}</script><rect width="120" height="80" fill="#3f9a7d"/></svg>`;

test('hostile HTML and SVG are shown, and run nothing', async ({ page, context, api, enter }) => {
  const html = await deliver(api, { name: 'report.html', mimeType: 'text/html', content: { text: HOSTILE_HTML } });
  const svg = await deliver(api, { name: 'chart.svg', mimeType: 'image/svg+xml', content: { text: HOSTILE_SVG } });
  const away: string[] = [];
  page.on('request', (request) => request.url().includes('elsewhere.example') && away.push(request.url()));

  await enter(page, await api.person('Ada Byron', ['VIEWER']), `/deliverables/${html.id}`);
  const frame = page.frameLocator('iframe[title="report.html"]');
  await expect(frame.getByRole('heading', { name: 'Quarterly report' })).toBeVisible();
  await expect(page.locator('iframe[title="report.html"]')).toHaveAttribute('sandbox', '');
  await frame.getByRole('link', { name: 'Click' }).click();

  // The page is a wicked one: without a sandbox, it sets the mark and goes elsewhere. By then the one in the frame, which is
  // older, has had the time for it as well.
  const control = await context.newPage();
  await control.route('https://elsewhere.example/**', (route) => route.fulfill({ body: 'elsewhere' }));
  await control.setContent(HOSTILE_HTML);
  await expect(control.locator('html')).toHaveAttribute('data-hacked', 'yes');
  await expect(control.getByText('elsewhere', { exact: true })).toBeVisible();
  await control.close();

  await expect(frame.getByRole('heading', { name: 'Quarterly report' }), 'it did not go elsewhere').toBeVisible();
  await expect(frame.locator('html')).not.toHaveAttribute('data-hacked');
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  await expect(page.locator('html')).not.toHaveAttribute('data-hacked');
  await takeScreenshots(page, 'deliverable-html');
  await page.getByText('Source', { exact: true }).click();
  await expect(page.locator('.cm-content')).toContainText('<script>');

  await page.goto(`/deliverables/${svg.id}`);
  const picture = page.getByRole('img', { name: 'chart.svg' });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120);
  expect(await page.evaluate('window.hacked')).toBeUndefined();

  // Opened as a page of its own, it is still in the server's sandbox.
  const address = await picture.getAttribute('src');
  await page.goto(address ?? '');
  await expect(page.locator('svg')).not.toHaveAttribute('data-hacked');
  expect(away).toEqual([]);
});

const KINDS: { name: string; content: string; mimeType?: string; type?: string; shows: string | RegExp }[] = [
  { name: 'plan.md', mimeType: 'text/markdown', content: '# The plan\n\nPay **all** of it.\n\n| who | what |\n| --- | --- |\n| Ada | 129 |\n', shows: 'The plan' },
  { name: 'orders.csv', mimeType: 'text/csv', content: 'order,customer,amount\n4711,Ada Byron,129.00\n4712,Grace Hopper,18.50\n4713,Mary Shelley,7.25\n', shows: 'Grace Hopper' },
  { name: 'refunds.py', mimeType: 'text/x-python', type: 'CODE', content: 'import decimal\n\n# Pays it back.\ndef refund(order: str, amount: decimal.Decimal) -> bool:\n    return amount < 500 and order != ""\n', shows: 'def refund' },
  { name: 'fix.diff', mimeType: 'text/x-diff', content: '--- a/limit.rs\n+++ b/limit.rs\n@@ -1,3 +1,3 @@\n fn limit() -> u32 {\n-    500\n+    1000\n }\n', shows: '1000' },
  { name: 'result.json', mimeType: 'application/json', content: '{"id": 12345678901234567890, "lines": [{"item": "Lamp", "price": 129}]}', shows: '12345678901234567890' },
  { name: 'notes.txt', mimeType: 'text/plain', content: 'The customer was friendly.\n', shows: 'friendly' },
  { name: 'archive.bin', mimeType: 'application/octet-stream', content: '\u0001\u0002', shows: 'Download it to look at it' },
];

test('every kind is shown as it should be', async ({ page, api, enter }) => {
  test.slow();
  const complaints = complaintsOf(page);
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), '/deliverables');
  for (const { shows, content, ...input } of KINDS) {
    const { id } = await deliver(api, { ...input, content: { text: content }, description: `Made for the test of ${input.name}` });
    await page.goto(`/deliverables/${id}`);
    await expect(page.getByRole('heading', { name: input.name, level: 1 })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Content' })).toContainText(shows);
    await expectAccessible(page);
    if (/md|csv|py|diff/.test(input.name)) await takeScreenshots(page, `deliverable-${input.name.split('.')[1]}`);
  }
  expect(complaints).toEqual([]);
});

test('a new version is uploaded, compared, made final, put away and taken back', async ({ page, api, enter }) => {
  const { id } = await deliver(api, { name: 'report.md', content: { text: '# Report\n\nOne line.\nAnother line.\n' } });
  await enter(page, await api.person('Grace Hopper', ['OPERATOR']), `/deliverables/${id}`);
  await page.getByRole('button', { name: 'Upload a version' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles({ name: 'report.md', mimeType: 'text/markdown', buffer: Buffer.from('# Report\n\nOne line.\nA better line.\n') });
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(dialog).toBeHidden();
  // By its event: nobody reloads.
  await expect(page.getByRole('region', { name: 'Content' })).toContainText('A better line.');
  await expect(page.getByRole('region', { name: 'Versions' }).getByRole('link')).toHaveCount(2);

  await page.getByRole('button', { name: 'Compare version 1 with version 2' }).click();
  const difference = page.getByRole('region', { name: 'Difference', exact: true });
  await expect(difference.locator('tr[data-kind=removed]')).toContainText('Another line.');
  await expect(difference.locator('tr[data-kind=added]')).toContainText('A better line.');
  await expect(page).toHaveURL(/compare=1/);
  await expectAccessible(page);
  await takeScreenshots(page, 'deliverable-difference');
  await page.getByRole('button', { name: 'Back to the content' }).click();

  await page.getByRole('link', { name: 'Version 1' }).click();
  await expect(page.getByText('This is version 1')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Content' })).toContainText('Another line.');
  await page.getByRole('button', { name: 'Show the newest' }).click();

  await page.getByRole('button', { name: 'Finalize' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Finalize' }).click();
  await expect(page.getByRole('main').getByText('Final', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Finalize' })).toBeHidden();

  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByRole('main').getByText('Archived', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('main').getByText('Final', { exact: true })).toBeVisible();
});

test('of more than 50 versions, the oldest can be seen and compared', async ({ page, api, enter }) => {
  const { id } = await deliver(api, { name: 'minutes.md', content: { text: 'Version 1\n' } });
  const add = 'mutation ($input: AddDeliverableVersionInput!) { addDeliverableVersion(input: $input) { userErrors { code message path } } }';
  for (let number = 2; number <= 52; number += 1) await api.send(add, { input: { deliverableId: id, content: { text: `Version ${number}\n` } } });
  await enter(page, await api.person('Grace Hopper', ['VIEWER']), `/deliverables/${id}`);
  const versions = page.getByRole('region', { name: 'Versions' });
  await expect(versions.getByRole('link')).toHaveCount(50);
  const oldest = versions.getByRole('link', { name: 'Version 1', exact: true });
  await expect(oldest).toBeHidden();
  await versions.getByRole('button', { name: 'Show older versions' }).click();
  await expect(versions.getByRole('link')).toHaveCount(52);
  await expect(versions.getByRole('button', { name: 'Show older versions' })).toBeHidden();
  await versions.getByRole('button', { name: 'Compare version 1 with version 52' }).click();
  await expect(page.getByRole('region', { name: 'Difference', exact: true }).locator('tr[data-kind=added]')).toContainText('Version 52');
  await oldest.click();
  await expect(page.getByRole('region', { name: 'Content' })).toContainText('Version 1');
  await expectAccessible(page);
});

test('a link shows the deliverables of one execution, and all of them when that is taken away', async ({ page, own: { api, url }, enter }) => {
  await deliver(api, { name: 'of-another.md', content: { text: 'Not here' } });
  const { executionId } = await deliver(api, { name: 'part-00.md', content: { text: 'Part' } });
  for (let part = 1; part <= 50; part += 1) await deliver(api, { executionId, name: `part-${String(part).padStart(2, '0')}.md`, content: { text: 'Part' } });
  await enter(page, await api.person('Mary Shelley', ['VIEWER']), `${url}/executions/${executionId}`);
  await page.getByRole('link', { name: 'and 1 more' }).click();
  await expect(page).toHaveURL(`${url}/deliverables?execution=${executionId}`);
  await expect(page.getByRole('link', { name: /^part-/ }).first()).toBeVisible();
  await expect(page.getByText('Current 51')).toBeVisible();
  await page.getByRole('button', { name: 'Of one execution: show all' }).click();
  await expect(page).toHaveURL(`${url}/deliverables`);
  await expect(page.getByText('Current 52')).toBeVisible();
});

test('a download and a ZIP come as files', async ({ page, api, enter }) => {
  const { id } = await deliver(api, { name: 'table.csv', mimeType: 'text/csv', content: { text: 'a,b\n1,2\n' } });
  await enter(page, await api.person('Ada Byron', ['VIEWER']), `/deliverables/${id}`);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()]);
  expect(file.suggestedFilename()).toBe('table.csv');
  const [zip] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download all as ZIP' }).click()]);
  expect(zip.suggestedFilename()).toMatch(/\.zip$/);
  // Who may only look is offered nothing else.
  await expect(page.getByRole('button', { name: 'Finalize' })).toBeHidden();
});

test('the list: by execution, filtered by the address, live, and on a phone', async ({ page, api, enter }) => {
  const shop = await openShop(api);
  await refund(api, shop, '4711');
  await refund(api, shop, '4712', 'fail');
  await enter(page, await api.person('Mary Shelley', ['OPERATOR']), '/deliverables');
  await expect(page.getByRole('link', { name: shop.workflow })).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Download all as ZIP' }).first()).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'deliverables');

  const name = `live-${Date.now()}.csv`;
  await deliver(api, { name, mimeType: 'text/csv', content: { text: 'a\n1\n' } });
  await expect(page.getByRole('link', { name })).toBeVisible();

  await page.getByLabel('Search by name').fill('live-');
  await expect(page).toHaveURL(/q=live-/);
  await expect(page.getByRole('link', { name: 'report.md' })).toHaveCount(0);
  await page.getByText(/^Code \d+$/).click();
  await expect(page).toHaveURL(/type=CODE/);
  await expect(page.getByRole('heading', { name: 'Nothing fits these filters' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Nothing fits these filters' })).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('list', { name: 'Deliverables' })).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('region', { name: 'Content' })).toBeVisible();
  await expectNoOverflow(page);
});
