import { createTriage, startExecution } from './support/workflows';
import { expect, test } from './support/test';

test('the server dies during a run: the page says so, then goes on from its last cursor with nothing missed or doubled', async ({ page, own, enter }) => {
  test.setTimeout(120_000);
  const { server, api, url } = own;
  const { workflowId, worker } = await createTriage(api);
  const id = await startExecution(api, workflowId, { subject: 'Everything is down' });
  const search = await worker.claim();
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `${url}/executions/${id}`);
  await page.getByRole('tab', { name: /^Logs/ }).click();
  const lines = page.getByRole('log').locator('[data-index]');
  await worker.report(search, 0.1, 'line 1');
  await worker.report(search, 0.2, 'line 2');
  await expect(lines).toHaveCount(2);

  await server.stop('SIGKILL');
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await server.start();
  // The page is still waiting for its next try: these happen behind its back.
  await worker.report(search, 0.3, 'line 3');
  await worker.report(search, 0.4, 'line 4');
  await worker.complete(search, { articles: 2 });
  const answer = await worker.claim();
  await worker.report(answer, 0.5, 'line 5');

  await expect(lines).toHaveCount(5, { timeout: 40_000 });
  await expect(page.getByText('Reconnecting…')).toBeHidden();
  expect(await lines.allInnerTexts()).toEqual([1, 2, 3, 4, 5].map((number) => expect.stringContaining(`line ${number}`)));
  await worker.complete(answer, { text: 'It is up again.' });
  await expect(page.getByRole('status').filter({ hasText: 'All that had to be done was done' })).toBeVisible();

  await page.getByRole('tab', { name: 'History' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByText('search completed', { exact: true })).toHaveCount(1);
  await expect(history.getByText('Completed', { exact: true })).toHaveCount(1);
});
