import type { Page } from '@playwright/test';
import type { Api } from './support/api';
import { busyTime } from './support/page-checks';
import { createAgent, createWorkflow, startExecution, unique } from './support/workflows';
import { expect, test } from './support/test';

// A trace keeps a copy of the page for each turn of the wheel, which takes longer than the turn.
test.use({ trace: 'off' });

/** A debug build takes more than a minute to start 10,000: who wants to see these asks for them. */
const MANY = Number(process.env['E2E_EXECUTIONS'] ?? 2_000);

/** Starts executions from several sides at once, which the server writes together. */
async function startMany(api: Api, workflowId: string, count: number): Promise<void> {
  const sides = Array.from({ length: 24 }, async (_, side) => {
    for (let start = side * 5; start < count; start += 24 * 5) {
      const numbers = Array.from({ length: Math.min(5, count - start) }, (__, index) => start + index);
      const fields = numbers.map((number) => `e${number}: startExecution(input: { workflowId: "${workflowId}", input: {}, correlationId: "order ${number}" }) { userErrors { code message path } }`);
      await api.send(`mutation { ${fields.join(' ')} }`);
    }
  });
  await Promise.all(sides);
}

/** A screen for each frame, faster than any wheel, for so many frames or to the end; the most rows that were in the page. */
async function scroll(page: Page, frames: number): Promise<{ frames: number; rows: number }> {
  return page.evaluate(async (limit) => {
    let [done, rows] = [0, 0];
    const atEnd = () => window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2;
    while (done < limit && !atEnd()) {
      window.scrollBy(0, 900);
      await new Promise(requestAnimationFrame);
      rows = Math.max(rows, document.querySelectorAll('[role=row]').length);
      done += 1;
    }
    return { frames: done, rows };
  }, frames);
}

test(`${MANY.toLocaleString('en')} executions scroll smoothly, because only those in sight are in the page`, async ({ page, own, enter }) => {
  test.setTimeout(300_000);
  const { api, url } = own;
  const agent = unique('Nobody');
  await createAgent(api, { name: agent, kind: 'WORKER', config: { queue: 'nobody' } });
  const workflowId = await createWorkflow(api, { name: 'Waits', steps: [{ key: 'wait', agent, gate: 'NEVER' }] });
  const oldest = await startExecution(api, workflowId, {}, { correlationId: 'the oldest' });
  await startMany(api, workflowId, MANY - 1);

  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `${url}/executions`);
  await expect(page.getByText(`${MANY.toLocaleString('en')} in all`)).toBeVisible();
  const busy = await busyTime(page);
  const last = page.getByText('the oldest', { exact: true });
  // To the end as fast as pages come, and then once more through all of them.
  let most = 0;
  const began = await busy();
  let frames = 0;
  await expect(async () => {
    const some = await scroll(page, 600);
    most = Math.max(most, some.rows);
    frames += some.frames;
    await expect(last).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [0], timeout: 180_000 });
  expect(((await busy()) - began) / frames, 'seconds for each frame while pages come').toBeLessThan(0.05);

  await page.evaluate(() => scrollTo(0, 0));
  const loaded = await busy();
  const again = await scroll(page, 1_000);
  expect(((await busy()) - loaded) / again.frames, 'seconds for each frame').toBeLessThan(0.05);
  await expect(last).toBeVisible();
  expect(Math.max(most, again.rows), 'rows in the page').toBeLessThan(80);

  // What happens at the far end of the list is seen there, and what begins meanwhile when one comes back to the top.
  await api.send('mutation ($input: CancelExecutionInput!) { cancelExecution(input: $input) { userErrors { code message path } } }', { input: { executionId: oldest } });
  await expect(page.getByRole('row').filter({ has: last })).toContainText('Cancelled');
  await startExecution(api, workflowId, {}, { correlationId: 'the newest' });
  await expect(page.getByText(`${(MANY + 1).toLocaleString('en')} in all`)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.getByText('the newest', { exact: true })).toBeVisible();
});
