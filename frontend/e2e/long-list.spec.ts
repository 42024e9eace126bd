import { createAgent, createWorkflow, startExecution, unique } from './support/workflows';
import { expect, test } from './support/test';

// A trace keeps a copy of the page for each turn of the wheel, which takes longer than the turn.
test.use({ trace: 'off' });

test('2,000 executions scroll, and only those in sight are in the page', async ({ page, own, enter }) => {
  test.setTimeout(240_000);
  const { api, url } = own;
  const agent = unique('Nobody');
  await createAgent(api, { name: agent, kind: 'WORKER', config: { queue: 'nobody' } });
  const workflowId = await createWorkflow(api, { name: 'Waits', steps: [{ key: 'wait', agent, gate: 'NEVER' }] });
  const numbers = Array.from({ length: 2000 }, (_, index) => index);
  for (let start = 0; start < numbers.length; start += 5) {
    const some = numbers.slice(start, start + 5);
    const fields = some.map((number) => `e${number}: startExecution(input: { workflowId: "${workflowId}", input: {}, correlationId: "order ${number}" }) { userErrors { code message path } }`);
    await api.send(`mutation { ${fields.join(' ')} }`);
  }

  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `${url}/executions`);
  await expect(page.getByText('order 1999', { exact: true })).toBeVisible();
  await expect(page.getByText('2,000 in all')).toBeVisible();
  const last = page.getByText('order 0', { exact: true });
  let longest = 0;
  // One turn of the wheel after the other, until the end is in sight.
  await expect(async () => {
    await page.mouse.wheel(0, 6000);
    longest = Math.max(longest, await page.getByRole('row').count());
    await expect(last).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [0], timeout: 120_000 });
  expect(longest, 'rows in the page').toBeLessThan(80);

  // What begins meanwhile is there when one comes back to the top.
  await startExecution(api, workflowId, {}, { correlationId: 'the newest' });
  await expect(page.getByText('2,001 in all')).toBeVisible();
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.getByText('the newest', { exact: true })).toBeVisible();
  await expect(page.getByText('order 1999', { exact: true })).toBeVisible();
});
