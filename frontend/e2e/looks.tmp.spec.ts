import { refundStep, leavers, askPeople, setPolicy } from './support/approvals';
import { takeScreenshots } from './support/screenshots';
import { expect, test } from './support/test';
test('looks', async ({ page, api, enter }) => {
  test.setTimeout(240_000);
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await setPolicy(api, `version: "1.0"
checkpoints:
  - name: "Large payouts"
    trigger: { operation_type: payout, data_threshold: { field: amount, operator: ">", value: 1000 } }
    action: { require_approval_count: 2, timeout_seconds: 7200, on_timeout: reject }
  - name: "Group clean-ups"
    trigger: { operation_type: group.cleanup }
    action: { timeout_seconds: 600 }
`);
  const person = await api.person('Ada Byron', ['APPROVER', 'OPERATOR']);
  const id = await refundStep(api);
  const items = await api.requestApproval({ description: 'Remove 25 people from the group “Everyone with a licence” who have not signed in for a year', operationType: 'group.cleanup', riskLevel: 'HIGH', parameters: { group: 'licences', dryRun: false }, items: leavers(25), confidence: 0.93 });
  const pay = await api.requestApproval({ description: 'Pay 4,200.00 EUR to Heliotrope Consulting', operationType: 'payout', riskLevel: 'CRITICAL', parameters: { amount: 4200, iban: 'AT61 1904 3002 3457 3201' }, confidence: 0.41, estimatedCostMicros: 4200000000 });
  const ask = await askPeople(api, { description: 'Which account should the refunds be paid from?', questions: [{ id: 'account', text: 'Which account?', schema: { enum: ['main', 'savings'] } }, { id: 'limit', text: 'Up to which amount?', schema: { type: 'integer', minimum: 1 } }, { id: 'why', text: 'Anything that the agent should know?' }] });
  for (let i = 0; i < 6; i++) await api.requestApproval({ description: `Send the newsletter for week ${40 + i} to 12,000 readers`, riskLevel: i % 2 ? 'LOW' : 'MEDIUM', confidence: 0.7 });
  await enter(page, person);
  await expect(page.getByText('Heliotrope').first()).toBeVisible();
  await takeScreenshots(page, 'inbox');
  await page.keyboard.press('j'); await page.keyboard.press('x'); await page.keyboard.press('j'); await page.keyboard.press('x');
  await takeScreenshots(page, 'inbox-selected');
  for (const [name, one] of Object.entries({ step: id, items, pay, ask })) {
    await page.goto(`/checkpoints/${one}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForTimeout(600);
    await takeScreenshots(page, `checkpoint-${name}`, { fullPage: true });
  }
  await page.goto(`/checkpoints/${id}?edit`);
  await page.waitForTimeout(1500);
  await takeScreenshots(page, 'checkpoint-modify');
  console.log(errors.join('\n'));
});
