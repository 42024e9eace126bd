import { expectAccessible } from './support/axe';
import { takeScreenshots } from './support/screenshots';
import { createAgent, createTriage, createWorkflow, startExecution, unique, Worker } from './support/workflows';
import { expect, test } from './support/test';

test('start a workflow from the console and watch it to the end', async ({ page, api, enter }) => {
  const { workflowId, name, worker } = await createTriage(api);
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `/workflows/${workflowId}`);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Subject').fill('The printer is down');
  await dialog.getByLabel('Reference').fill('ticket 4711');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Start' }).click();

  await expect(page).toHaveURL(/\/executions\/exec_/);
  const timeline = page.getByRole('tabpanel', { name: 'Timeline' });
  await expect(timeline.getByRole('button', { name: /^classify: Completed/ })).toBeVisible();
  await expect(timeline.getByRole('button', { name: /^answer: Not yet/ })).toBeVisible();

  const search = await worker.claim();
  await expect(timeline.getByRole('button', { name: /^search: Running/ })).toBeVisible();
  await worker.report(search, 0.5, 'Found 12 articles');
  await page.getByRole('tab', { name: /^Logs/ }).click();
  await expect(page.getByRole('log')).toContainText('Found 12 articles');
  await worker.complete(search, { articles: 12 }, { usage: { llmCalls: 1, tokens: 1200, costMicros: 3000 }, confidence: 0.9, reasoning: 'The same error is in the manual.' });
  const answer = await worker.claim();
  await worker.complete(answer, { text: 'Turn it off and on again.' });

  // Live to the end: nobody reloads.
  await expect(page.getByRole('status').filter({ hasText: 'All that had to be done was done' })).toBeVisible();
  await expect(page.getByText('1.2K')).toBeVisible();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(timeline.getByRole('button', { name: /^answer: Completed/ })).toBeVisible();
  await expect(page.locator('.react-flow__edge-path'), 'the lines between the steps are still there').toHaveCount(4);
  await expectAccessible(page);
  await takeScreenshots(page, 'execution-completed');

  await page.getByRole('button', { name: /^search: Completed/ }).click();
  const step = page.getByRole('dialog', { name: /search/ });
  await expect(step).toContainText('The same error is in the manual.');
  await expect(step.getByRole('textbox', { name: 'output of step search' })).toContainText('"articles": 12');
  await step.getByRole('tab', { name: 'Input' }).click();
  await expect(step.getByRole('textbox', { name: 'input of step search' })).toContainText('The printer is down');
  await expectAccessible(page);
  await takeScreenshots(page, 'execution-step');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Input and output' }).click();
  await expect(page.getByRole('textbox', { name: 'output of the execution' })).toContainText('Turn it off and on again.');
  // A link, or a reload, opens the same view.
  await expect(page).toHaveURL(/\?tab=values$/);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'output of the execution' })).toContainText('Turn it off and on again.');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page).not.toHaveURL(/tab=/);
});

test('what happens while the page loads is not missed', async ({ page, api, enter }) => {
  const { workflowId, worker } = await createTriage(api, { gate: 'ALWAYS' });
  const id = await startExecution(api, workflowId, { subject: 'VPN is down' });
  const task = await worker.claim();
  // The state is read, then the step ends, then the history is read: the history knows more than the state.
  let ended = () => {};
  const end = new Promise<void>((resolve) => (ended = resolve));
  let first = true;
  await page.route('**/graphql', async (route) => {
    const asks = route.request().postData() ?? '';
    if (asks.includes('query RunHistory')) await end;
    if (!asks.includes('query ExecutionState') || !first) return route.continue();
    first = false;
    const response = await route.fetch();
    await worker.complete(task, { articles: 3 });
    const waits = async () => (await api.send<{ execution: { status: string } }>('query ($id: ID!) { execution(id: $id) { status } }', { id })).execution.status;
    await expect.poll(waits).toBe('AWAITING_APPROVAL');
    ended();
    await route.fulfill({ response });
  });
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `/executions/${id}`);
  await expect(page.getByRole('status').filter({ hasText: 'It goes on when somebody has decided' })).toBeVisible();
});

test('an execution that fails shows why, and can be resumed from the failure and retried', async ({ page, api, enter }) => {
  const { workflowId, worker } = await createTriage(api);
  const id = await startExecution(api, workflowId, { subject: 'Mail is down' }, { correlationId: 'ticket 1' });
  await enter(page, await api.person('Grace Hopper', ['OPERATOR']), `/executions/${id}`);
  const search = await worker.claim();
  await worker.fail(search, 'the index is being rebuilt', { stack: 'at search (index.ts:12)' });
  const banner = page.getByRole('status').filter({ hasText: 'Failed at the step search' });
  await expect(banner).toContainText('the index is being rebuilt');
  await expectAccessible(page);
  await takeScreenshots(page, 'execution-failed');
  await banner.getByRole('button', { name: 'Look at the step' }).click();
  await expect(page.getByRole('dialog', { name: /search/ }).getByRole('alert')).toContainText('the index is being rebuilt');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Resume from failure' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume from failure' }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page.getByRole('link', { name: /Resumes what ran before, from search on/ })).toBeVisible();
  await worker.complete(await worker.claim(), { articles: 1 });
  await worker.complete(await worker.claim(), { text: 'Wait a minute.' });
  await expect(page.getByRole('status').filter({ hasText: 'All that had to be done was done' })).toBeVisible();

  await page.getByRole('link', { name: /Resumes what ran before/ }).click();
  await expect(page).toHaveURL(new RegExp(id));
  await expect(page.getByRole('link', { name: /Resumed from the failure/ })).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page.getByRole('link', { name: /Runs again what ran before/ })).toBeVisible();
});

test('pause, resume, and stop with a reason', async ({ page, api, enter }) => {
  const { workflowId, worker } = await createTriage(api);
  const id = await startExecution(api, workflowId, { subject: 'Slow' });
  await enter(page, await api.person('Mary Shelley', ['OPERATOR']), `/executions/${id}`);
  await worker.claim();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'nothing new begins' })).toBeVisible();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByLabel(/^Why/).fill('Not needed any more');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop it' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Stopped for good' })).toContainText('Not needed any more');
  await expect(page.getByRole('button', { name: /^search: Cancelled/ })).toBeVisible();
});

test('fork from a step, with another input', async ({ page, api, enter }) => {
  const { workflowId, worker } = await createTriage(api);
  const id = await startExecution(api, workflowId, { subject: 'Phones are down' });
  await worker.complete(await worker.claim(), { articles: 3 });
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `/executions/${id}?step=answer`);
  const step = page.getByRole('dialog', { name: /answer/ });
  await step.getByRole('button', { name: 'Fork from here' }).click();
  const dialog = page.getByRole('dialog', { name: /Fork from the step answer/ });
  await dialog.getByLabel('With another input').check();
  await dialog.getByLabel('Subject').fill('Phones are down again');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await expect(page.getByRole('link', { name: /Goes another way than what ran before, from answer on/ })).toBeVisible();
  // What does not depend on the step was kept.
  await expect(page.getByRole('button', { name: /^search: Completed/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Input and output' }).click();
  await expect(page.getByRole('textbox', { name: 'input of the execution' })).toContainText('Phones are down again');
});

test('an execution that waits for people leads to its checkpoint', async ({ page, api, enter }) => {
  const { workflowId, worker } = await createTriage(api, { gate: 'ALWAYS' });
  const id = await startExecution(api, workflowId, { subject: 'VPN is down' });
  await worker.complete(await worker.claim(), { articles: 3 });
  await enter(page, await api.person('Ada Byron', ['OPERATOR', 'APPROVER']), `/executions/${id}`);
  const banner = page.getByRole('status').filter({ hasText: 'Waits for people' }).first();
  await expect(banner).toContainText('It goes on when somebody has decided');
  await expectAccessible(page);
  await takeScreenshots(page, 'execution-waiting');
  await banner.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/checkpoints\/chk_/);
});

test('a long workflow is shown where something happens, until somebody moves it', async ({ page, api, enter }) => {
  const [name, queue] = [unique('Long chain'), unique('chain').replaceAll(/\W/g, '-')];
  await createAgent(api, { name, kind: 'WORKER', config: { queue } });
  const workflowId = await createWorkflow(api, { name, steps: Array.from({ length: 12 }, (_, index) => ({ key: `part${index + 1}`, agent: name })) });
  const worker = new Worker(api, queue);
  const doNext = async (count: number) => {
    for (let done = 0; done < count; done += 1) await worker.complete(await worker.claim(), {});
  };
  const id = await startExecution(api, workflowId, {});
  // Moves take no time then.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `/executions/${id}`);
  const part = (number: number) => page.getByLabel(`Step part${number}`, { exact: true });
  await expect(part(1)).toBeInViewport({ ratio: 0.99 });
  expect((await part(1).boundingBox())?.width, 'wide enough to be read').toBeGreaterThan(110);
  await expect(part(12)).not.toBeInViewport();
  await expectAccessible(page);
  await takeScreenshots(page, 'execution-long');

  await doNext(8);
  await expect(part(9)).toBeInViewport({ ratio: 0.99 });
  await expect(part(1)).not.toBeInViewport();

  const overview = await page.getByRole('img', { name: 'All steps, small' }).boundingBox();
  if (!overview) throw new Error('there is no overview');
  const middle = overview.y + overview.height / 2;
  await page.mouse.move(overview.x + 100, middle);
  await page.mouse.down();
  await page.mouse.move(overview.x + 10, middle, { steps: 5 });
  await page.mouse.up();
  await expect(part(9)).not.toBeInViewport();
  await expect(part(2)).toBeInViewport();
  await doNext(1);
  await expect(part(10)).toContainText('Scheduled');
  await doNext(1);
  await expect(part(11)).toContainText('Scheduled');
  await expect(part(2)).toBeInViewport();

  await page.getByRole('button', { name: 'Fit View' }).click();
  await expect(part(1)).toBeInViewport({ ratio: 0.99 });
  await expect(part(12)).toBeInViewport({ ratio: 0.99 });
});

test('the log goes along with its end, until somebody scrolls up', async ({ page, api, enter }) => {
  const { workflowId, worker } = await createTriage(api);
  const id = await startExecution(api, workflowId, { subject: 'VPN is down' });
  const task = await worker.claim();
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `/executions/${id}`);
  // All of the log is in sight then.
  await page.setViewportSize({ width: 1280, height: 1400 });
  await page.getByRole('tab', { name: /^Logs/ }).click();
  let written = 0;
  const write = async (lines: number) => {
    for (const end = written + lines; written < end; written += 1) await worker.report(task, 0.5, `Line ${written + 1}.`);
  };
  await write(60);
  const log = page.getByRole('log');
  await expect(log.getByText('Line 60.')).toBeInViewport();

  await log.hover();
  await page.mouse.wheel(0, -100_000);
  await expect(log.getByText('Line 60.')).not.toBeInViewport();
  const seen = log.getByText('Line 1.');
  await expect(seen).toBeInViewport();
  await write(10);
  await expect(page.getByRole('tab', { name: 'Logs (70)' })).toBeVisible();
  await expect(seen).toBeInViewport();

  await log.press('End');
  await expect(log.getByText('Line 70.')).toBeInViewport();
  await write(10);
  await expect(log.getByText('Line 80.')).toBeInViewport();
});

test('an execution that is not there', async ({ page, api, enter }) => {
  await enter(page, await api.person('Ada Byron', ['VIEWER']), '/executions/exec_01m7jqbtejfbtaryjybwwde393');
  await expect(page.getByRole('heading', { name: 'There is no such execution' })).toBeVisible();
  await expectAccessible(page);
});
