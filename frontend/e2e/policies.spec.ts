import { expectAccessible } from './support/axe';
import { complaintsOf, expectNoOverflow } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { decideRefunds } from './support/stories';
import { expect, test } from './support/test';

const POLICY = `version: "1.0"
checkpoints:
  - name: "High-value refunds"
    priority: 1
    trigger:
      operation_type: ["refund"]
      data_threshold: { field: "amount", operator: ">", value: 1000 }
    action:
      require_approval_count: 2
      timeout_seconds: 3600
      on_timeout: "reject"
  - name: "High and critical risk"
    priority: 2
    trigger: { risk_level: ["high", "critical"] }
auto_approval:
  rules:
    - name: "Small refunds"
      mode: shadow
      promote_at: { agreement: 0.98, over: 50 }
      conditions:
        operation_type: "refund"
        data_threshold: { field: "amount", operator: "<=", value: 50 }
        confidence: ">= 0.9"
      action: { auto_approve: true }
`;

/** Replaces all that is in an editor. */
async function write(page: import('@playwright/test').Page, label: string, text: string) {
  const editor = page.getByRole('textbox', { name: label });
  await editor.click();
  await page.keyboard.press('Control+a');
  // Typed at once: the editor would indent what is typed line by line.
  await page.keyboard.insertText(text);
}

test.describe.configure({ mode: 'serial' });

test('a policy with a mistake is marked at its line, and cannot be saved until it is mended', async ({ page, api, enter }) => {
  const complaints = complaintsOf(page);
  await enter(page, await api.person('Ada Byron', ['ADMIN']), '/policies');
  await write(page, 'Policy', POLICY.replace('operator: ">", value: 1000', 'operator: "more", value: 1000'));
  const validation = page.getByRole('status', { name: 'Validation' });
  await expect(validation).toContainText('One problem');
  await expect(validation).toContainText('Line 7');
  // The mark is in the editor, on that line.
  const line = page.locator('.cm-line').nth(6);
  await expect(line.locator('.cm-lintRange-error')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Review and save' })).toBeDisabled();
  await expectAccessible(page);
  await takeScreenshots(page, 'policies-problem');

  await write(page, 'Policy', POLICY);
  await expect(validation).toContainText('No problems');
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('tr[data-kind=added]').first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save and put in force' }).click();
  await expect(page.getByText(/^Version \d+/)).toBeVisible();
  await expect(validation).toContainText('This is what is in force');
  await takeScreenshots(page, 'policies');

  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByRole('button', { name: /in force/ })).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'policies-versions');
  await page.getByRole('tab', { name: 'Auto-approval' }).click();
  await expect(page.getByRole('region', { name: 'Small refunds' })).toContainText('In the shadow');
  await expectAccessible(page);
  await takeScreenshots(page, 'policies-rules');
  expect(complaints).toEqual([]);
});

test('a proposal is tried, on what is in force and on a draft', async ({ page, api, enter }) => {
  await enter(page, await api.person('Grace Hopper', ['AUTHOR']), '/policies?tab=try');
  await page.getByLabel('Operation type').fill('refund');
  await write(page, 'Parameters', '{"amount": 1500}');
  await page.getByRole('button', { name: 'Try it on the policy in force' }).click();
  await expect(page.getByTestId('outcome')).toContainText('People are asked: High-value refunds');
  await expect(page.getByTestId('outcome')).toContainText('2 different people must approve');
  await expect(page.getByRole('region', { name: /^Checkpoint rules/ }).getByText('Decides')).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'policies-try');

  await write(page, 'Parameters', '{"amount": oops}');
  await page.getByRole('button', { name: /^Try it/ }).click();
  await expect(page.getByText('This has to be a JSON object.')).toBeVisible();

  await page.getByRole('tab', { name: /^Document/ }).click();
  await write(page, 'Policy', POLICY.replace('value: 1000', 'value: 2000'));
  await page.getByRole('tab', { name: 'Try a proposal' }).click();
  await page.getByLabel('Operation type').fill('refund');
  await write(page, 'Parameters', '{"amount": 1500}');
  await page.getByRole('button', { name: 'Try it on your draft' }).click();
  await expect(page.getByTestId('outcome')).toContainText('It goes on by itself');
  // A draft is not lost by accident.
  await page.getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/agents');
});

test('a back-test compares with what people decided, and rules are suggested from it', async ({ page, api, enter }) => {
  const approver = await api.as(await api.person('Alan Turing', ['APPROVER']));
  await decideRefunds(api, approver, 10);
  await enter(page, await api.person('Grace Hopper', ['AUTHOR']), '/policies?tab=backtest');
  await page.getByRole('button', { name: 'Back-test the policy in force' }).click();
  const result = page.getByRole('region', { name: 'Result of the back-test' });
  await expect(result).toContainText(/proposals, judged by the policy in force/);
  await expectAccessible(page);
  await takeScreenshots(page, 'policies-backtest', { fullPage: true });

  // Live instead of in the shadow, it would approve: also what somebody rejected.
  await page.getByRole('tab', { name: /^Document/ }).click();
  await write(page, 'Policy', POLICY.replace('mode: shadow', 'mode: live').replace('      promote_at: { agreement: 0.98, over: 50 }\n', ''));
  await page.getByRole('tab', { name: 'Back-test' }).click();
  await page.getByRole('button', { name: 'Back-test the draft' }).click();
  await expect(result.getByText('Contradicts people').first()).toBeVisible();
  await expect(result.getByRole('link', { name: /^Refund \d+\.00/ }).first()).toHaveAttribute('href', /\/checkpoints\/chk_/);

  await page.getByRole('tab', { name: 'Suggestions' }).click();
  await page.getByLabel('At least so many decisions').fill('5');
  await page.getByRole('button', { name: 'Look for rules' }).click();
  await expect(page.getByRole('button', { name: 'Add to the draft' }).or(page.getByText('Nothing stands out yet')).first()).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'policies-suggestions');
});

test('the emergency stop is seen by another person at once', async ({ page, browser, api, enter, consoleUrl }) => {
  const other = await browser.newPage({ baseURL: consoleUrl });
  await enter(other, await api.person('Mary Shelley', ['ADMIN']), '/workflows');
  await expect(other.getByRole('heading', { name: 'Workflows', level: 1 })).toBeVisible();

  await enter(page, await api.person('Ada Byron', ['APPROVER']), '/policies');
  const card = page.getByRole('region', { name: 'Emergency stop' });
  await card.getByRole('button', { name: 'Emergency stop' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByLabel(/^Why\?/).fill('The refund agent pays everybody.');
  await dialog.getByRole('button', { name: 'Stop now' }).click();
  await expect(card).toContainText('Stopped: nothing is approved without people');
  await expect(other.getByText('Emergency stop: nothing is approved without people')).toBeVisible();
  await expect(other.getByText('The refund agent pays everybody.')).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'policies-stopped');

  await card.getByRole('button', { name: 'Lift the stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lift it' }).click();
  await expect(card).toContainText('Rules may approve');
  await expect(other.getByText('Emergency stop: nothing is approved without people')).toBeHidden();
  await other.close();
});

test('on a phone', async ({ page, api, enter }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(page, await api.person('Ada Byron', ['ADMIN']), '/policies');
  for (const tab of ['try', 'backtest', 'rules', 'suggestions', 'versions']) {
    await page.goto(`/policies?tab=${tab}`);
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expectNoOverflow(page);
  }
});
