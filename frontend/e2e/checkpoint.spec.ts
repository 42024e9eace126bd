import type { Browser, Page } from '@playwright/test';
import type { Person } from './support/api';
import { askPeople, checkpoint, leavers, REFUND, refundStep, revise, setPolicy } from './support/approvals';
import { expectAccessible } from './support/axe';
import { expectNoOverflow } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { expect, test } from './support/test';

test.describe.configure({ timeout: 120_000 });

type Enter = (page: Page, person: Person, path?: string) => Promise<void>;

/** Another person with a browser of their own. */
async function another(browser: Browser, baseURL: string, enter: Enter, person: Person, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: 'en-GB' });
  const page = await context.newPage();
  await enter(page, person, path);
  return page;
}

const bar = (page: Page) => page.getByRole('region', { name: 'Decide', exact: true });
const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: typeof name === 'string' });

test('approve a step: everything is there, in order', async ({ page, api, enter }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  const id = await refundStep(api);
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Refund 129.9 EUR for order A-4711 and tell the customer');
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Why it stops',
    'The proposed action',
    'What runs',
    'Reasoning',
    'Confidence and risk',
    'What helps to decide',
    'If it is denied',
    'How people decided before',
    'What happened so far',
    'Comments and questions',
    'Decisions',
    'Who looks at it',
  ]);
  const action = section(page, 'The proposed action');
  // Named as the agent's schema does, not as the JSON does.
  await expect(action.getByRole('row', { name: /^Tell the customer notify Yes$/ })).toBeVisible();
  await expect(action.getByText('The number in the shop')).toBeVisible();
  await action.getByText('JSON', { exact: true }).click();
  await expect(action.locator('.cm-content')).toContainText('"notify": true');
  await action.getByText('Readable', { exact: true }).click();
  await expect(section(page, 'If it is denied')).toContainText('The execution ends.');
  await takeScreenshots(page, 'checkpoint');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);

  await bar(page).getByLabel('Comment').fill('The photos are clear.');
  await bar(page).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Approved by you' })).toContainText('The photos are clear.');
  await expect(bar(page)).toBeHidden();
  expect((await checkpoint(api, id)).outcome?.approvedParameters).toEqual(REFUND);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('modify: the form, the JSON beside it, the difference, and types that stay what they are', async ({ page, api, enter }) => {
  const id = await refundStep(api);
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  await bar(page).getByRole('button', { name: 'Modify' }).click();
  const dialog = page.getByRole('dialog', { name: 'Modify before approving' });
  const review = dialog.getByRole('button', { name: 'Review the changes' });
  // One can type at once, although the form is loaded only now.
  await expect(dialog.getByRole('textbox').first()).toBeFocused();
  await expect(dialog.getByText('Nothing is changed yet.')).toBeVisible();
  await expect(review).toBeDisabled();

  // Wrong in the eyes of the schema, at once beside the field.
  await dialog.getByLabel('Amount').fill('5000');
  await expect(dialog.locator('.cm-content')).toContainText('"amount": 5000');
  await expect(dialog.getByText(/maximum|1000/).first()).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText('does not fit');
  await expect(review).toBeDisabled();
  await dialog.getByLabel('Amount').fill('99.5');
  await dialog.getByLabel('Parcels').fill('3');
  await dialog.getByLabel('Tell the customer').uncheck();
  await expect(dialog.getByText('3 fields differ.')).toBeVisible();
  await takeScreenshots(page, 'checkpoint-modify');
  await expectAccessible(page);
  await review.click();

  const confirm = page.getByRole('dialog', { name: 'Approve with these changes?' });
  await expect(confirm.getByRole('row', { name: 'amount 129.9 99.5' })).toBeVisible();
  await expect(confirm.getByRole('row', { name: 'notify true false' })).toBeVisible();
  await confirm.getByLabel('Comment').fill('One lamp only.');
  await takeScreenshots(page, 'checkpoint-difference');
  await expectAccessible(page);
  await confirm.getByRole('button', { name: 'Approve with these 3 changes' }).click();
  await expect(page.getByText('Approved by you')).toBeVisible();
  // Nothing but those three, and each of its type; a default of the schema that nobody chose is not among them.
  expect((await checkpoint(api, id)).outcome?.approvedParameters).toEqual({ ...REFUND, amount: 99.5, parcels: 3, notify: false });
  await section(page, 'Revisions').getByRole('button', { name: /Revision 2/ }).click();
  await expect(section(page, 'Revisions').getByRole('row', { name: /amount 129.9 99.5/ })).toBeVisible();
});

test('modify a request by its JSON: digits that no double holds survive', async ({ page, api, enter }) => {
  const id = await api.requestApproval({ description: 'Close the account', parameters: { note: 'x', count: 1 } });
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}?edit`);
  const dialog = page.getByRole('dialog');
  await dialog.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{ "note": "x", "count": 12345678901234567890 }');
  await dialog.getByRole('button', { name: 'Review the changes' }).click();
  await expect(page.getByRole('dialog').getByRole('row', { name: 'count 1 12345678901234567890' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve with this change' }).click();
  await expect(page.getByText('Approved by you')).toBeVisible();
  await expect(section(page, 'What may be done').getByRole('row', { name: 'Count 12345678901234567890' })).toBeVisible();
});

test('modify what hides something: it is named, in the form and in the JSON', async ({ page, api, enter }) => {
  const parameters = { to: 'bob\u202emoc.live\u202c', note: 'First\nsec\u200bond', 'fee\u2060': true };
  const id = await api.requestApproval({ description: 'Send the keys', parameters });
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}?edit`);
  const dialog = page.getByRole('dialog');
  const json = dialog.locator('.cm-content');
  await expect(dialog.getByLabel('to', { exact: true })).toHaveAccessibleDescription('Contains hidden characters: bob U+202E moc.live U+202C');
  await expect(dialog.getByLabel('note')).toHaveAccessibleDescription('Contains hidden characters: Line 2: sec U+200B ond');
  await expect(dialog.getByRole('checkbox', { name: 'fee[U+2060]' })).toBeChecked();
  await expect(json).toContainText(String.raw`"to": "bob\u202emoc.live\u202c"`);
  await expect(json).toHaveAccessibleDescription('');
  await takeScreenshots(page, 'checkpoint-modify-hidden');
  await expectAccessible(page);

  // What is put in is named as well, wherever that is done.
  await dialog.getByLabel('to', { exact: true }).fill('bob\u200b@example.com');
  await expect(dialog.getByLabel('to', { exact: true })).toHaveAccessibleDescription('Contains hidden characters: bob U+200B @example.com');
  await dialog.getByLabel('to', { exact: true }).fill('bob@example.com');
  await expect(dialog.getByLabel('to', { exact: true })).toHaveAccessibleDescription('');
  await json.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{\n  "to": "\u2067bob",\n  "note": "x"\n}');
  await expect(json).toContainText('"to": "U+2067bob"');
  await expect(json).toHaveAccessibleDescription('Contains hidden characters: Line 2: "to": " U+2067 bob",');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Review the changes' }).click();
  await page.getByRole('dialog').getByLabel('Comment').fill('As аsked');
  await expect(page.getByRole('dialog').getByLabel('Comment')).toHaveAccessibleDescription(/Contains letters that look like others: As а U\+0430 sked$/);
  await page.getByRole('dialog').getByRole('button', { name: /^Approve with these/ }).click();
  await expect(page.getByText('Approved by you')).toBeVisible();
  expect((await checkpoint(api, id)).outcome?.approvedParameters).toEqual({ to: '\u2067bob', note: 'x' });
});

test('reject: only with a reason', async ({ page, api, enter }) => {
  const id = await refundStep(api);
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  await bar(page).getByRole('button', { name: 'Reject' }).click();
  await expect(bar(page)).toContainText('Say why you reject it');
  await expect(bar(page).getByLabel('Comment')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('Refunded last week.');
  await bar(page).getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Rejected by you')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('“Refunded last week.”');
  expect(await checkpoint(api, id)).toMatchObject({ status: 'REJECTED', reason: 'Refunded last week.' });
});

test('some of the items', async ({ page, api, enter }) => {
  const id = await api.requestApproval({ description: 'Remove 25 people from the group', operationType: 'group.cleanup', riskLevel: 'HIGH', parameters: { group: 'vpn', people: leavers(25) }, items: leavers(25) });
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  // What the table shows is not told a second time.
  const action = section(page, 'The proposed action');
  await expect(action.getByRole('row', { name: 'People' })).toContainText('The 25 items below');
  await expect(action).not.toContainText('Person 1');
  await expect(bar(page).getByRole('button', { name: 'Approve all (25)' })).toBeVisible();
  const items = section(page, 'Items');
  await items.getByRole('checkbox', { name: 'Person 1', exact: true }).uncheck();
  await items.getByLabel('Search the items').fill('person 25');
  await items.getByRole('checkbox', { name: 'Person 25' }).uncheck();
  await expect(items.getByText('23 of 25 selected')).toBeVisible();
  await items.getByLabel('Search the items').fill('');
  await expect(bar(page).getByRole('button', { name: 'Approve selected (23)' })).toBeVisible();
  await takeScreenshots(page, 'checkpoint-items');
  await expectAccessible(page);
  await items.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(bar(page).getByRole('button', { name: 'Approve all (25)' })).toBeVisible();
  await items.getByRole('checkbox', { name: 'Select all' }).uncheck();
  await expect(bar(page).getByRole('button', { name: 'Approve selected (0)' })).toBeDisabled();
  await items.getByRole('checkbox', { name: 'Person 2', exact: true }).check();
  await items.getByRole('checkbox', { name: 'Person 3', exact: true }).check();
  await bar(page).getByRole('button', { name: 'Approve selected (2)' }).click();
  await expect(page.getByText('Approved by you')).toBeVisible();
  expect((await checkpoint(api, id)).outcome?.approvedItems).toEqual(['u2', 'u3']);
});

test('two people race: one decides, the other sees who and when, and a late approval is rolled back', async ({ page, browser, consoleUrl, api, enter }) => {
  const id = await api.requestApproval({ description: 'Pay the invoice 77', operationType: 'race' });
  const ada = await api.person('Ada Byron', ['APPROVER']);
  const grace = await api.person('Grace Hopper', ['APPROVER']);
  const hers = await another(browser, consoleUrl, enter, grace, `/checkpoints/${id}`);
  await enter(page, ada, `/checkpoints/${id}`);
  await expect(bar(hers).getByRole('button', { name: 'Approve' })).toBeVisible();

  // Ada's approval is on its way while Grace's arrives.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('approveCheckpoint(')) await held;
    await route.continue();
  });
  await bar(page).getByRole('button', { name: 'Approve' }).click();
  await bar(hers).getByLabel('Comment').fill('Too late for this year.');
  await bar(hers).getByRole('button', { name: 'Reject' }).click();
  await expect(hers.getByText('Rejected by you')).toBeVisible();
  release();
  await expect(page.getByText('Rejected by Grace Hopper')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Too late for this year.');
  await expect(page.getByText(/Your decision did not count/)).toBeVisible();
  await expect(page.getByText('Approved by you')).toBeHidden();
  await expect(bar(page)).toBeHidden();
  await hers.context().close();
});

test('two of two: who has decided, who is still needed', async ({ page, browser, consoleUrl, api, enter }) => {
  await setPolicy(api, `version: "1.0"\ncheckpoints:\n  - name: Large payouts\n    trigger: { operation_type: payout, data_threshold: { field: amount, operator: ">", value: 1000 } }\n    action: { require_approval_count: 2, timeout_seconds: 7200, on_timeout: reject }\n`);
  const id = await api.requestApproval({ description: 'Pay 4,200.00 EUR to Heliotrope Consulting', operationType: 'payout', riskLevel: 'CRITICAL', parameters: { amount: 4200 } });
  const hers = await another(browser, consoleUrl, enter, await api.person('Grace Hopper', ['APPROVER']), `/checkpoints/${id}`);
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  const why = section(page, 'Why it stops');
  await expect(why).toContainText('The rule “Large payouts” asks for people');
  await expect(why.getByRole('row', { name: 'amount 4200 > 1000' })).toBeVisible();
  await expect(page.getByText('1 h 59 min left').first()).toBeVisible();
  await expect(section(page, 'Decisions')).toContainText('2 more approvers');

  await bar(page).getByRole('button', { name: 'Approve' }).click();
  await expect(bar(page)).toContainText('You have approved this; others must, too.');
  const decisions = section(hers, 'Decisions');
  await expect(decisions).toContainText('Ada Byron');
  await expect(decisions).toContainText('1 of 2');
  await expect(decisions).toContainText('one more approver');
  await takeScreenshots(hers, 'checkpoint-quorum');
  await expectAccessible(hers);
  await bar(hers).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved by you and Grace Hopper')).toBeVisible();
  await hers.context().close();
});

test('a proposal that changes: the difference comes before any decision', async ({ page, api, enter }) => {
  const id = await api.requestApproval({ description: 'Refund 50.00', operationType: 'refund', parameters: { amount: 50, order: 'A-1' } });
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  await expect(bar(page).getByRole('button', { name: 'Approve' })).toBeVisible();
  await revise(api, id, { description: 'Refund 5,000.00', parameters: { amount: 5000, order: 'A-1' } });
  const notice = page.getByRole('alert').filter({ hasText: 'The proposal has changed since you opened it' });
  await expect(notice.getByRole('row', { name: 'parameters → amount 50 5000' })).toBeVisible();
  await expect(bar(page).getByRole('button', { name: 'Approve' })).toBeHidden();
  await takeScreenshots(page, 'checkpoint-changed');
  await expectAccessible(page);
  await bar(page).getByRole('button', { name: 'See what changed' }).click();
  await notice.getByRole('button', { name: 'I have seen the changes' }).click();
  await bar(page).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved by you')).toBeVisible();
  expect((await checkpoint(api, id)).outcome?.approvedParameters).toEqual({ amount: 5000, order: 'A-1' });
});

test('a stale approval is refused, and the difference shown', async ({ page, api, enter }) => {
  const id = await api.requestApproval({ description: 'Refund 50.00', operationType: 'refund', parameters: { amount: 50 } });
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  await page.route('**/graphql', async (route) => {
    // The proposal changes between the click and the server.
    if (route.request().postData()?.includes('approveCheckpoint(')) await revise(api, id, { description: 'Refund 9,999.00', parameters: { amount: 9999 } });
    await route.continue();
  });
  await bar(page).getByRole('button', { name: 'Approve' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'The proposal has changed' });
  await expect(notice.getByRole('row', { name: 'parameters → amount 50 9999' })).toBeVisible();
  await expect(page.getByText('Approved by you')).toBeHidden();
  expect((await checkpoint(api, id)).status).toBe('PENDING');
  await page.unroute('**/graphql');
  await notice.getByRole('button', { name: 'I have seen the changes' }).click();
  await bar(page).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved by you')).toBeVisible();
});

test('questions to people: a field for each, of its type', async ({ page, api, enter }) => {
  const id = await askPeople(api, {
    description: 'Which account should the refunds be paid from?',
    questions: [
      { id: 'account', text: 'Which account?', schema: { enum: ['main', 'savings'] } },
      { id: 'limit', text: 'Up to which amount?', schema: { type: 'integer', minimum: 1 } },
      { id: 'note', text: 'What else should the agent know?' },
    ],
  });
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  const form = section(page, '3 questions');
  await bar(page).getByRole('button', { name: 'Send the answers' }).click();
  await expect(form.getByText('This needs an answer.')).toHaveCount(3);
  await form.getByRole('combobox', { name: 'Which account?' }).click();
  await page.getByRole('option', { name: 'savings' }).click();
  await form.getByLabel('Up to which amount?').fill('500');
  await form.getByLabel('What else should the agent know?').fill('Only on weekdays.');
  await takeScreenshots(page, 'checkpoint-questions');
  await expectAccessible(page);
  await bar(page).getByRole('button', { name: 'Send the answers' }).click();
  await expect(page.getByText('Answered by you')).toBeVisible();
  await expect(section(page, 'Answers').getByRole('row', { name: 'Which account? account savings' })).toBeVisible();
  expect((await checkpoint(api, id)).outcome?.answers).toEqual({ account: 'savings', limit: 500, note: 'Only on weekdays.' });
});

test('on a phone: read, scroll and approve with a thumb', async ({ page, api, enter }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const id = await refundStep(api);
  await enter(page, await api.person('Grace Hopper', ['APPROVER']), `/checkpoints/${id}`);
  await expect(section(page, 'The proposed action')).toBeVisible();
  await expectNoOverflow(page);
  for (const name of ['Reject', 'Modify', 'Approve']) {
    const box = await bar(page).getByRole('button', { name }).boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 999), name).toBeLessThanOrEqual(360);
    // Above the navigation at the bottom, wherever the page is.
    expect((box?.y ?? 999) + (box?.height ?? 0), name).toBeLessThanOrEqual(740 - 57);
  }
  await expectAccessible(page);
  await bar(page).getByRole('button', { name: 'Modify' }).click();
  await expect(page.getByRole('dialog').getByLabel('Amount')).toBeVisible();
  await expectNoOverflow(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await bar(page).getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved by you')).toBeVisible();
});

test('what a rule approved says which, and can be spoken against', async ({ page, api, enter }) => {
  await setPolicy(api, `version: "1.0"\nauto_approval:\n  rules:\n    - name: Small refunds\n      conditions: { operation_type: small.refund, data_threshold: { field: amount, operator: "<=", value: 50 } }\n      action: { auto_approve: true }\n`);
  const id = await api.requestApproval({ description: 'Refund 12.00', operationType: 'small.refund', parameters: { amount: 12 }, riskLevel: 'LOW' });
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `/checkpoints/${id}`);
  await expect(page.getByText('Approved by the rule “Small refunds”')).toBeVisible();
  await expect(section(page, 'Why nobody was asked')).toContainText('Small refunds');
  await takeScreenshots(page, 'checkpoint-by-rule');
  await page.getByRole('button', { name: 'I would not have approved this…' }).click();
  await page.getByRole('dialog').getByLabel('Why not?').fill('The third one this week.');
  await page.getByRole('dialog').getByRole('button', { name: 'I would not have approved it' }).click();
  await expect(page.getByText(/that they would not have approved it/)).toBeVisible();
  await expectAccessible(page);
});

test('talk before deciding, and say who looks at it', async ({ page, api, enter }) => {
  // Who asks for approval answers questions about it.
  const ada = await api.person('Ada Byron', ['APPROVER', 'OPERATOR']);
  const id = await (await api.as(ada)).requestApproval({ description: 'Send the contract', operationType: 'talk' });
  const grace = await api.person('Grace Hopper', ['APPROVER']);
  await enter(page, ada, `/checkpoints/${id}`);
  const who = section(page, 'Who looks at it');
  await who.getByRole('button', { name: 'I am on it' }).click();
  await expect(who).toContainText('You do.');
  await who.getByRole('button', { name: 'Give it back' }).click();
  await expect(who).toContainText('Nobody yet.');
  await who.getByRole('button', { name: 'Delegate…' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Person' }).fill(grace.email);
  await page.getByRole('option', { name: grace.email }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delegate' }).click();
  await expect(who).toContainText('Grace Hopper may decide in the place of Ada Byron.');

  const talk = section(page, 'Comments and questions');
  await talk.getByRole('textbox', { name: 'Comment' }).fill('Legal has read it.');
  await talk.getByRole('button', { name: 'Comment' }).click();
  await expect(talk.getByText('Legal has read it.')).toBeVisible();
  await talk.getByText('Question', { exact: true }).click();
  await talk.getByRole('textbox', { name: 'Question' }).fill('Which version?');
  await talk.getByRole('button', { name: 'Ask' }).click();
  await talk.getByRole('textbox', { name: 'Answer' }).fill('The fourth.');
  await talk.getByRole('button', { name: 'Answer' }).click();
  await expect(talk.getByText('answered: The fourth.')).toBeVisible();
  // What one has said oneself one need not look at again; it is part of the proposal now.
  await expect(section(page, 'Reasoning')).toContainText('The fourth.');
  await expect(bar(page).getByRole('button', { name: 'Approve' })).toBeVisible();
  await takeScreenshots(page, 'checkpoint-talk', { fullPage: true });
  await expectAccessible(page);
});

test('a checkpoint that is not there says so', async ({ page, api, enter }) => {
  await enter(page, await api.person('Ada Byron', ['VIEWER']), '/checkpoints/nonsense');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such checkpoint');
  await expectAccessible(page);
});
