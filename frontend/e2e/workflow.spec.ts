import { expectAccessible } from './support/axe';
import { takeScreenshots } from './support/screenshots';
import { createTriage } from './support/workflows';
import { expect, test } from './support/test';

const editor = { name: 'Definition of the workflow' };

test('an invalid definition is marked, a draft keeps it, and a mended one becomes a version', async ({ page, api, enter }) => {
  const { workflowId, name } = await createTriage(api);
  await enter(page, await api.person('Ada Byron', ['AUTHOR']), `/workflows/${workflowId}`);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await page.getByLabel('Step classify').click();
  await expect(page.getByRole('region', { name: 'Step classify' })).toContainText('Triage rules');
  await expectAccessible(page);
  await takeScreenshots(page, 'workflow');

  await page.getByRole('tab', { name: 'Definition' }).click();
  const text = page.getByRole('textbox', editor);
  await expect(text).toContainText('key: classify');
  await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('  - key: extra\n    agent: Nobody at all\n    colour: red\n');
  const problems = page.getByRole('alert').filter({ hasText: 'problems' });
  await expect(problems).toContainText('There is no agent Nobody at all');
  await expect(problems).toContainText('colour is not a field');
  await expect(problems.locator('code')).toHaveText(['Nobody at all', 'colour']);
  await expect(page.locator('.cm-lintRange-error').first()).toBeVisible();
  await expect(page.getByText('Not saved')).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'workflow-definition');

  await page.getByRole('button', { name: 'Save as new version' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'It was not saved' })).toBeVisible();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('This is a draft')).toBeVisible();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Throw away' }).click();
  await expect(page.getByText('This is a draft')).toBeHidden();

  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('onError: CONTINUE\n');
  await expect(page.getByText('Nothing is wrong with it.')).toBeVisible();
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'What changed' }).click();
  await expect(page.getByRole('row', { name: /onError/ })).toContainText('CONTINUE');
  await page.getByText('Text', { exact: true }).click();
  await expect(page.getByRole('region', { name: /Difference between/ })).toContainText('onError: CONTINUE');
  await expectAccessible(page);
  await takeScreenshots(page, 'workflow-versions');
  await page.getByRole('region', { name: 'Version 1' }).getByRole('button', { name: 'Bring back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Bring back' }).click();
  await expect(page.getByRole('region', { name: 'Version 3' })).toContainText('From version 1');
});

test('JSON and YAML are two ways to write the same document', async ({ page, api, enter }) => {
  const { workflowId } = await createTriage(api);
  await enter(page, await api.person('Ada Byron', ['AUTHOR']), `/workflows/${workflowId}?tab=definition`);
  await page.getByText('JSON', { exact: true }).click();
  await expect(page.getByRole('textbox', editor)).toContainText('"key": "classify"');
  await expect(page.getByText('Not saved')).toBeHidden();
  await page.getByText('YAML', { exact: true }).click();
  await expect(page.getByRole('textbox', editor)).toContainText('key: classify');
});

test('a preview shows what each step would get, and runs nothing', async ({ page, api, enter }) => {
  const { workflowId } = await createTriage(api);
  await enter(page, await api.person('Ada Byron', ['AUTHOR']), `/workflows/${workflowId}?tab=preview`);
  const step = page.getByRole('region', { name: 'Step search' });
  // It begins with what the schema might describe, so that there is something to see.
  await expect(page.getByLabel('Customer')).toHaveValue('Example Ltd');
  await expect(page.getByLabel('Subject')).toHaveValue('text');
  await expect(step.getByRole('textbox', { name: 'input of search' })).toContainText('"urgent": false');
  await page.getByLabel('Subject').fill('Mail is down');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(step.getByRole('textbox', { name: 'input of search' })).toContainText('"urgent": true');
  await expectAccessible(page);
  await takeScreenshots(page, 'workflow-preview');
});

test('a form says what is missing, and starts nothing until it is there', async ({ page, api, enter }) => {
  const { workflowId, name } = await createTriage(api);
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `/workflows/${workflowId}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Run ${name}` });
  const subject = dialog.getByLabel('Subject');
  await dialog.getByLabel('Customer').fill('Somebody');
  await expect(dialog.getByText('Is missing.'), 'one has not come to it yet').toBeHidden();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog.getByText('Is missing.')).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText('not complete yet');
  await expect(subject).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('ab');
  await expect(dialog.getByText('Should have at least 3 characters.')).toBeVisible();
  await page.keyboard.type('c');
  await expect(dialog.getByRole('alert')).toBeHidden();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(page).toHaveURL(/\/executions\/exec_/);
});

test('a test run is marked as one', async ({ page, api, enter }) => {
  const { workflowId, name } = await createTriage(api);
  await enter(page, await api.person('Ada Byron', ['OPERATOR']), `/workflows/${workflowId}`);
  await page.getByRole('button', { name: 'Test run', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Test run of ${name}` });
  await dialog.getByLabel('Subject').fill('The printer is down');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(page).toHaveURL(/\/executions\/exec_/);
  await expect(page.getByRole('main').getByText('Test', { exact: true })).toBeVisible();
});

test('a new workflow, archived and brought back; leaving asks about what is not saved', async ({ page, api, enter }) => {
  const { name } = await createTriage(api);
  await enter(page, await api.person('Grace Hopper', ['AUTHOR']), '/workflows');
  await page.getByLabel('Search by name').fill(name);
  await expect(page.getByRole('link', { name })).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'workflows');
  await page.getByRole('link', { name: 'New workflow' }).click();
  const text = page.getByRole('textbox', editor);
  await expect(page.getByRole('alert')).toContainText('There is no agent');
  await text.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(`name: ${name} again\nsteps: []\n`);
  await page.getByRole('link', { name: '← Workflows' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Keep as draft' }).click();
  await expect(page.getByRole('heading', { name: `${name} again`, level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText('This workflow is archived')).toBeVisible();
  await page.getByRole('button', { name: 'Bring back' }).click();
  await expect(page.getByText('This workflow is archived')).toBeHidden();
});
