import { expectAccessible } from './support/axe';
import { expectLoaded, expectNoOverflow } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { createTriage, startExecution } from './support/workflows';
import { expect, test } from './support/test';

test('a live list with filters in the address', async ({ page, own, enter }) => {
  const { api, url } = own;
  const { workflowId, name, worker } = await createTriage(api);
  const person = await api.person('Ada Byron', ['OPERATOR']);
  await enter(page, person, `${url}/executions`);
  await expect(page.getByRole('heading', { name: 'Nothing has run yet' })).toBeVisible();
  await expectAccessible(page);

  await startExecution(api, workflowId, { subject: 'Mail is down' }, { correlationId: 'ticket 1' });
  const rows = page.getByRole('table', { name: 'Executions' }).getByRole('row');
  await expect(rows.filter({ hasText: 'ticket 1' })).toContainText('Running');
  await startExecution(api, workflowId, { subject: 'VPN' }, { correlationId: 'ticket 2', mode: 'TEST' });
  await expect(rows.filter({ hasText: 'ticket 2' })).toContainText('Test');
  await worker.complete(await worker.claim(), {});
  await worker.fail(await worker.claim(), 'no idea');
  await expect(rows.filter({ hasText: 'Failed' })).toHaveCount(1);
  await api.requestApproval({ description: 'Send a mail to everybody' });
  await expect(rows.filter({ hasText: 'Approval requests' })).toContainText('Waits for people');
  await expectAccessible(page);
  await takeScreenshots(page, 'executions');

  await page.goto(`${url}/executions?status=FAILED`);
  await expect(rows.filter({ hasText: 'Failed' })).toHaveCount(1);
  await expect(rows).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name }).click();
  await expect(page).toHaveURL(/status=FAILED&workflow=wf_/);
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(4);
  await page.getByRole('searchbox', { name: 'Exact reference' }).fill('ticket 2');
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/reference=ticket\+2/);
  await page.getByRole('searchbox', { name: 'Exact reference' }).fill('ticket 99');
  await expect(page.getByRole('heading', { name: 'Nothing fits these filters' })).toBeVisible();
});

test('an execution that comes to its end leaves the list of what runs', async ({ page, own, enter }) => {
  const { api, url } = own;
  const { workflowId, worker } = await createTriage(api);
  await startExecution(api, workflowId, { subject: 'Mail is down' }, { correlationId: 'the only one' });
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `${url}/executions?status=RUNNING`);
  await expect(page.getByText('the only one')).toBeVisible();
  await worker.fail(await worker.claim(), 'no idea');
  await expect(page.getByText('the only one')).toBeHidden();
});

test('a link shows what continues one execution, and all of them when that is taken away', async ({ page, own, enter }) => {
  const { api, url } = own;
  const { workflowId } = await createTriage(api);
  const first = await startExecution(api, workflowId, { subject: 'Mail is down' }, { correlationId: 'ticket 1' });
  await startExecution(api, workflowId, { subject: 'VPN' }, { correlationId: 'ticket 2' });
  await api.send('mutation ($input: CancelExecutionInput!) { cancelExecution(input: $input) { userErrors { code message path } } }', { input: { executionId: first } });
  const retries = Array.from({ length: 21 }, (_, number) => `r${number}: retryExecution(input: { executionId: "${first}" }) { userErrors { code message path } }`);
  for (const retry of retries) await api.send(`mutation { ${retry} }`);

  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `${url}/executions/${first}`);
  await page.getByRole('link', { name: 'and 1 more' }).click();
  await expect(page).toHaveURL(`${url}/executions?origin=${first}`);
  await expect(page.getByText('21 of them fit')).toBeVisible();
  const rows = page.getByRole('table', { name: 'Executions' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Retry' }).first()).toBeVisible();
  await expect(rows.filter({ hasText: 'ticket 2' })).toHaveCount(0);
  await expectAccessible(page);

  const only = page.getByRole('button', { name: 'What continues one execution: show all' });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(only).toBeVisible();
  await expectNoOverflow(page);
  await only.click();
  await expect(page).toHaveURL(`${url}/executions`);
  await expect(page.getByText('23 in all')).toBeVisible();
});

test('on a phone, filters are behind a button, which tells how many are set', async ({ page, own, enter }) => {
  const { api, url } = own;
  await page.setViewportSize({ width: 360, height: 740 });
  const { workflowId, name } = await createTriage(api);
  await startExecution(api, workflowId, { subject: 'Mail is down' }, { correlationId: 'ticket 1' });
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `${url}/executions`);
  await expect(page.getByText('ticket 1')).toBeVisible();
  const workflow = page.getByRole('combobox', { name: 'Workflow' });
  await expect(workflow).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await workflow.click();
  await page.getByRole('option', { name }).click();
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toHaveAttribute('aria-expanded', 'true');
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page).toHaveURL(`${url}/executions`);
});

test('on a phone: cards, nothing sticks out, and a run can be watched', async ({ page, api, enter }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { workflowId, worker } = await createTriage(api, { gate: 'ALWAYS' });
  const id = await startExecution(api, workflowId, { subject: 'Mail is down' }, { correlationId: 'ticket with quite a long reference 4711/2026' });
  await enter(page, await api.person('Ada Byron', ['OPERATOR', 'AUTHOR']), '/executions');
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
  for (const path of [`/executions/${id}`, `/workflows/${workflowId}`, `/workflows/${workflowId}?tab=definition`, `/workflows/${workflowId}?tab=preview`, '/workflows', '/agents', '/agents?agent=new']) {
    await page.goto(path);
    await expectLoaded(page);
    await expectNoOverflow(page);
    await expectAccessible(page);
  }
  await page.goto(`/executions/${id}`);
  await worker.complete(await worker.claim(), { articles: 1 });
  await expect(page.getByRole('status').filter({ hasText: 'It goes on when somebody has decided' })).toBeVisible();
  await page.getByRole('button', { name: /^search: Completed/ }).click();
  await expect(page.getByRole('textbox', { name: 'output of step search' })).toContainText('"articles": 1');
  await expectNoOverflow(page);
  await expectAccessible(page);
});
