import type { Locator, Page } from '@playwright/test';
import type { Api } from './support/api';
import { askPeople, checkpoint, leavers, refundStep, setPolicy } from './support/approvals';
import { expectAccessible } from './support/axe';
import { stopAnimations, stopClock } from './support/clock';
import { busyTime, expectNoOverflow } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { expect, test } from './support/test';

/* What is in an inbox, and in which order, is what these tests are about: each has a server of its own. */

test.describe.configure({ timeout: 120_000 });

const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });
const toast = (page: Page): Locator => page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Undo' }) });

/** As somebody else would, elsewhere. */
async function decide(theirs: Api, checkpointId: string, digest: string, verdict: 'APPROVE' | 'REJECT'): Promise<void> {
  await theirs.send(
    'mutation ($input: DecideCheckpointsInput!) { decideCheckpoints(input: $input) { results { userErrors { code } } userErrors { code } } }',
    { input: { decisions: [{ checkpointId, digest, verdict, reason: verdict === 'REJECT' ? 'Not now.' : null }] } },
  );
}

/** Wherever the page is scrolled to, one does not cover the other. */
async function expectBeside(left: Locator, right: Locator): Promise<void> {
  const [one, other] = [await left.boundingBox(), await right.boundingBox()];
  expect((one?.x ?? 0) + (one?.width ?? 0), 'where it ends').toBeLessThan(other?.x ?? 0);
}

test('what waits, with filters in the address', async ({ page, own: { api, url }, enter }) => {
  const ada = await api.person('Ada Byron', ['APPROVER']);
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await setPolicy(api, `version: "1.0"\ncheckpoints:\n  - name: Payouts\n    trigger: { operation_type: payout }\n    action: { require_approval_count: 2, timeout_seconds: 1500, on_timeout: reject }\n`);
  const step = await refundStep(api);
  await api.requestApproval({ description: 'Remove 25 people from the group “Everyone with a licence” who have not signed in for a year', operationType: 'group.cleanup', riskLevel: 'HIGH', items: leavers(25), confidence: 0.93 });
  await api.requestApproval({ description: 'Pay 4,200.00 EUR to Heliotrope Consulting', operationType: 'payout', riskLevel: 'CRITICAL', confidence: 0.41, estimatedCostMicros: 4_200_000_000 });
  await askPeople(api, { description: 'Which account should the refunds be paid from?', questions: [{ text: 'Which account?' }] });
  await api.requestApproval({ description: 'Send the newsletter to 12,000 readers', riskLevel: 'MEDIUM', confidence: 0.7 });
  await enter(page, ada, `${url}/inbox`);

  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(6);
  await expect(rows.nth(1)).toContainText('Refund 129.9 EUR');
  await expect(rows.nth(1)).toContainText('86%');
  await expect(rows.nth(1)).toContainText('129.90 cr');
  await expect(row(page, 'Heliotrope')).toContainText('min');
  await expect(row(page, 'Heliotrope')).toContainText('0 of 2 approved');
  await expect(page).toHaveTitle('(5) Inbox · Countersign');
  await takeScreenshots(page, 'inbox');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'Most urgent first' }).click();
  await expect(rows.nth(1)).toContainText('Heliotrope');
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Questions' }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/kind=CLARIFICATION&sort=urgent/);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await page.goto(`${url}/inbox?risk=CRITICAL&due=hour`);
  await expect(rows).toHaveCount(2);
  await page.goto(`${url}/inbox?due=hour&kind=CLARIFICATION`);
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(rows).toHaveCount(6);
  await page.getByRole('combobox', { name: 'Agent' }).click();
  await page.getByRole('option', { name: /^Refund mail/ }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: /^Refund requests/ }).click();
  await expect(page).toHaveURL(/(?=.*agent=)(?=.*workflow=)/);
  await expect(rows).toHaveCount(2);
  await page.getByRole('link', { name: /Refund 129.9 EUR/ }).click();
  await expect(page).toHaveURL(`${url}/checkpoints/${step}`);
  expect(errors).toEqual([]);
});

test('live: new ones appear, decided ones leave and say who decided', async ({ page, own: { api, url }, enter }) => {
  const ada = await api.person('Ada Byron', ['APPROVER']);
  const grace = await api.as(await api.person('Grace Hopper', ['APPROVER']));
  const mail = await api.requestApproval({ description: 'Send the newsletter to 12,000 readers' });
  await page.clock.install();
  await enter(page, ada, `${url}/inbox`);
  await expect(row(page, 'newsletter')).toBeVisible();
  await expect(page).toHaveTitle('(1) Inbox · Countersign');

  // New ones appear without a toast: one looks at the inbox anyway.
  await api.requestApproval({ description: 'Order 40 chairs', riskLevel: 'LOW' });
  await expect(row(page, 'Order 40 chairs')).toBeVisible();
  await expect(page).toHaveTitle('(2) Inbox · Countersign');
  await expect(page.getByText('Waits for you', { exact: true })).toBeHidden();
  // It stays for a few seconds, so that whoever looks at it sees who decided.
  await stopClock(page);
  await decide(grace, mail, (await checkpoint(api, mail)).digest, 'APPROVE');
  await expect(row(page, 'newsletter')).toContainText('Approved by Grace Hopper');
  await page.clock.resume();
  await expect(row(page, 'newsletter')).toBeHidden();
  await expect(page).toHaveTitle('(1) Inbox · Countersign');
  await expect(page.getByRole('navigation').getByLabel('1 waiting')).toBeVisible();
});

test('what comes between the first answer and the connection is not missed', async ({ page, own: { api, url }, enter }) => {
  let connect = () => {};
  const held = new Promise<void>((resolve) => (connect = resolve));
  await page.routeWebSocket('**/graphql', async (socket) => {
    await held;
    socket.connectToServer();
  });
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `${url}/inbox`);
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
  await api.requestApproval({ description: 'Order 40 chairs' });
  connect();
  await expect(row(page, 'Order 40 chairs')).toBeVisible();
  await expect(page).toHaveTitle('(1) Inbox · Countersign');
});

test('undo until it is sent, and sent at once when the page is left', async ({ page, own: { api, url }, enter }) => {
  const ada = await api.person('Ada Byron', ['APPROVER']);
  const ids = await Promise.all(['First', 'Second', 'Third'].map((name) => api.requestApproval({ description: `${name} letter` })));
  const status = async (index: number) => (await checkpoint(api, ids[index] ?? '')).status;
  const sent: string[] = [];
  page.on('request', (request) => request.postData()?.includes('decideCheckpoints') && sent.push(request.postData() ?? ''));
  // The page's clock, so that the time in which one may undo passes when the test says so.
  await page.clock.install();
  await enter(page, ada, `${url}/inbox`);
  await expect(row(page, 'Third letter')).toBeVisible();
  await stopClock(page);
  await row(page, 'First letter').getByRole('button', { name: /^Approve/ }).click();
  await expect(toast(page)).toContainText('Approving “First letter”');
  await expect(row(page, 'First letter')).toBeHidden();
  await page.clock.runFor(4_900);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'First letter')).toBeVisible();
  await page.clock.runFor(6_000);
  await expect(toast(page)).toBeHidden();

  // What had been sent in spite of it would have been decided first, and would count.
  await row(page, 'First letter').getByRole('button', { name: /^Approve/ }).click();
  await expect(toast(page)).toBeVisible();
  expect(await status(0)).toBe('PENDING');
  expect(sent).toEqual([]);
  await page.clock.runFor(6_000);
  await expect.poll(() => status(0)).toBe('APPROVED');
  await expect(toast(page)).toBeHidden();
  expect(sent).toHaveLength(1);

  // The time for undoing stands still, so that only leaving can be what sends it.
  await row(page, 'Second letter').getByRole('button', { name: /^Approve/ }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Workflows' }).click();
  await expect.poll(() => status(1)).toBe('APPROVED');
  await page.clock.runFor(1_000);

  await page.getByRole('navigation').getByRole('link', { name: /Inbox/ }).click();
  await row(page, 'Third letter').getByRole('button', { name: /^Approve/ }).click();
  await expect(toast(page)).toBeVisible();
  await page.goto('about:blank');
  await expect.poll(() => status(2)).toBe('APPROVED');
});

test('an undo that comes too late says so', async ({ page, own: { api, url }, enter }) => {
  const id = await api.requestApproval({ description: 'First letter' });
  await api.requestApproval({ description: 'Second letter' });
  await page.clock.install();
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `${url}/inbox`);
  await expect(row(page, 'Second letter')).toBeVisible();
  await stopClock(page);
  const late = page.getByRole('alert').filter({ hasText: 'Too late to undo' });
  // Pressed twice, it is not too late the second time.
  await row(page, 'Second letter').getByRole('button', { name: /^Approve/ }).click();
  await toast(page).getByRole('button', { name: 'Undo' }).dblclick();
  await expect(row(page, 'Second letter')).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(toast(page)).toBeHidden();
  await expect(late).toBeHidden();

  await row(page, 'First letter').getByRole('button', { name: /^Approve/ }).click();
  await expect(toast(page)).toBeVisible();
  // Its time is over at this very moment: it leaves, and is still there to be pressed.
  const goOn = await stopAnimations(page);
  await page.clock.runFor(5_000);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(late).toContainText('Approving “First letter”: this has been sent already.');
  await goOn();
  await expect.poll(async () => (await checkpoint(api, id)).status).toBe('APPROVED');
  await page.keyboard.press('z');
  await expect(late.filter({ hasText: 'What you decided has been sent already.' })).toBeVisible();
});

test('a click that comes too late for its row does not decide the one that has come into its place', async ({ page, own: { api, url }, enter }) => {
  for (const name of ['First', 'Second', 'Third']) await api.requestApproval({ description: `${name} letter` });
  // Neither the time in which one may undo nor that in which rows cannot be pressed depends on how fast the machine is.
  await page.clock.install();
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `${url}/inbox`);
  await expect(row(page, 'Third letter')).toBeVisible();
  await stopClock(page);
  for (const [width, height] of [[1280, 800], [360, 740]] as const) {
    await page.setViewportSize({ width, height });
    const rows = page.getByRole(width === 360 ? 'listitem' : 'row');
    const approve = rows.filter({ hasText: 'First letter' }).getByRole('button', { name: /^Approve/ });
    // The rows have come to rest, and can be pressed.
    await page.clock.runFor(1_000);
    await approve.click({ trial: true });
    const goOn = await stopAnimations(page);
    await approve.dblclick();
    await expect(toast(page)).toContainText('Approving “First letter”');
    await expect(rows.filter({ hasText: 'First letter' })).toBeHidden();
    await expect(rows.filter({ hasText: 'Second letter' })).toBeVisible();
    await goOn();
    await page.clock.runFor(1_000);
    if (width > 360) await expectBeside(toast(page), rows.last().getByRole('button', { name: /^Approve/ }));
    // What is meant is done: a moment later the next one can be decided.
    await rows.filter({ hasText: 'Second letter' }).getByRole('button', { name: /^Approve/ }).click();
    await expect(rows.filter({ hasText: 'Second letter' })).toBeHidden();
    await expect(rows.filter({ hasText: 'Third letter' })).toBeVisible();
    await page.clock.runFor(1_000);
    for (const name of ['Second', 'First']) {
      await toast(page).filter({ hasText: `${name} letter` }).getByRole('button', { name: 'Undo' }).click();
      await expect(rows.filter({ hasText: `${name} letter` })).toBeVisible();
    }
    await page.clock.runFor(1_000);
    await expect(toast(page)).toHaveCount(0);
  }
});

test('many at once: each succeeds or fails for itself', async ({ page, own: { api, url }, enter }) => {
  const ada = await api.person('Ada Byron', ['APPROVER']);
  const grace = await api.as(await api.person('Grace Hopper', ['APPROVER']));
  const names = ['Alpha', 'Beta', 'Gamma'];
  const ids = await Promise.all(names.map((name) => api.requestApproval({ description: `Deploy ${name}` })));
  await page.clock.install();
  await enter(page, ada, `${url}/inbox`);
  await page.getByRole('button', { name: 'Select all' }).click();
  const group = page.getByRole('group', { name: 'Decide together' });
  await expect(group).toContainText('3 selected');
  await takeScreenshots(page, 'inbox-selected');
  await expectAccessible(page);
  const { digest } = await checkpoint(api, ids[1] ?? '');
  await stopClock(page);
  await group.getByRole('button', { name: 'Approve (3)' }).click();
  await expect(toast(page)).toContainText('Approving 3 checkpoints');
  // Somebody else is faster with one of them.
  await decide(grace, ids[1] ?? '', digest, 'REJECT');
  await page.clock.runFor(5_000);
  await page.clock.resume();
  const failures = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Understood' }) });
  await expect(failures).toContainText('Deploy Beta');
  await expect(failures).not.toContainText('Deploy Alpha');
  await takeScreenshots(page, 'inbox-failures');
  await expectAccessible(page);
  expect((await checkpoint(api, ids[0] ?? '')).status).toBe('APPROVED');
  expect((await checkpoint(api, ids[1] ?? '')).status).toBe('REJECTED');
  expect((await checkpoint(api, ids[2] ?? '')).status).toBe('APPROVED');
  await failures.getByRole('button', { name: 'Understood' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
  await expectAccessible(page);
});

test('by keyboard alone', async ({ page, own: { api, url }, enter }) => {
  const ada = await api.person('Ada Byron', ['APPROVER']);
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three', 'Four']) ids.push(await api.requestApproval({ description: `Task ${name}`, parameters: { n: 1 } }));
  await page.clock.install();
  await enter(page, ada, `${url}/inbox`);
  await expect(row(page, 'Task Four')).toBeVisible();
  const current = page.locator('[data-current=true]');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'The inbox by keyboard' })).toBeVisible();
  await takeScreenshots(page, 'inbox-help');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('j');
  await expect(current).toContainText('Task One');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(current).toContainText('Task One');
  // Held down for too long, a key still decides once.
  await stopClock(page);
  for (let time = 0; time < 3; time += 1) await page.keyboard.down('a');
  await page.keyboard.up('a');
  await expect(current).toContainText('Task Two');
  await expect(row(page, 'Task Three')).toBeVisible();
  await page.keyboard.press('z');
  await expect(row(page, 'Task One')).toBeVisible();
  await page.clock.resume();

  // Selected rows go first: two are rejected together, with one reason.
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject 2 checkpoints' });
  await expect(dialog.getByLabel('Why not?')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toContainText('Say why');
  // Letters are letters there.
  await page.keyboard.type('jak');
  await expectAccessible(page);
  await stopClock(page);
  await page.keyboard.press('Control+Enter');
  await expect(toast(page)).toContainText('Rejecting 2 checkpoints');
  await page.clock.runFor(5_000);
  await page.clock.resume();
  await expect.poll(async () => (await checkpoint(api, ids[2] ?? '')).reason, { timeout: 30_000 }).toBe('jak');
  expect((await checkpoint(api, ids[0] ?? '')).status).toBe('PENDING');

  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(current).toContainText('Task One');
  await page.keyboard.press('e');
  await expect(page).toHaveURL(new RegExp(`/checkpoints/${ids[0]}\\?edit`));
  await expect(page.getByRole('dialog', { name: 'Modify before approving' })).toBeVisible();
});

test('on a phone: cards with buttons for a thumb', async ({ page, own: { api, url }, enter }) => {
  const ada = await api.person('Ada Byron', ['APPROVER']);
  await page.setViewportSize({ width: 360, height: 740 });
  const id = await api.requestApproval({ description: 'Remove everybody who has not signed in for a year from “Everyone with a licence”', riskLevel: 'CRITICAL', confidence: 0.5 });
  await api.requestApproval({ description: 'Another' });
  await page.clock.install();
  await enter(page, ada, `${url}/inbox`);
  const card = page.getByRole('listitem').filter({ hasText: 'Remove everybody' });
  expect((await card.getByRole('button', { name: 'Approve' }).boundingBox())?.height).toBeGreaterThanOrEqual(42);
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('combobox', { name: 'Workflow' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  await card.getByRole('checkbox').check();
  await expect(page.getByRole('group', { name: 'Decide together' })).toBeInViewport();
  await expectAccessible(page);
  await page.getByRole('group', { name: 'Decide together' }).getByRole('button', { name: 'Clear' }).click();
  await card.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Why not?').fill('Ask them first.');
  await stopClock(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.clock.runFor(1_000);
  await expect(toast(page)).toBeInViewport();
  await page.clock.runFor(5_000);
  await expect.poll(async () => (await checkpoint(api, id)).status, { timeout: 30_000 }).toBe('REJECTED');
});

test('a thousand rows scroll smoothly, because few of them are there', async ({ page, own: { api, url }, enter }) => {
  const ada = await api.person('Ada Byron', ['APPROVER']);
  test.setTimeout(180_000);
  for (let from = 0; from < 1_000; from += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => api.requestApproval({ description: `Row ${from + index}` })));
  }
  await enter(page, ada, `${url}/inbox`);
  await expect(page).toHaveTitle('(1000) Inbox · Countersign');
  await expect(row(page, 'Row 0').first()).toBeVisible();
  // A screen for each frame, faster than any wheel. Counted is what the page does, not what else the machine does meanwhile.
  const busy = await busyTime(page);
  const before = await busy();
  await page.evaluate(async () => {
    for (let step = 0; step < 60; step += 1) {
      window.scrollBy(0, 900);
      await new Promise(requestAnimationFrame);
    }
  });
  expect(((await busy()) - before) / 60, 'seconds for each frame').toBeLessThan(0.1);
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    await expect(page.getByText(/Row 9[89]\d/).first()).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 });
  expect(await page.getByRole('row').count()).toBeLessThan(120);
  // Whoever jumps over many screens sees rows, not only their places.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  // The first few are above the window.
  await expect(page.getByText(/Row [45]\d\d/).nth(11)).toBeInViewport();
  await expect(page.locator('[role=row][aria-busy]')).toHaveCount(0);
});
