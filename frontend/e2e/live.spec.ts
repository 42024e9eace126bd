import { Api } from './support/api';
import { setPolicy } from './support/approvals';
import { expectAccessible } from './support/axe';
import { takeScreenshots } from './support/screenshots';
import { expect, test } from './support/test';
import { createAgent, createWorkflow, unique } from './support/workflows';

/* Pages stay open while others change what they show. Nothing here is ever reloaded. */

const ERRORS = 'userErrors { code message path }';

async function change(api: Api, mutation: string, input: Record<string, unknown>): Promise<void> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  await api.send(`mutation ($input: ${type}!) { ${mutation}(input: $input) { ${ERRORS} } }`, { input });
}

/** A workflow with one step, and what it says with another description. */
async function tickets(api: Api) {
  const agent = unique('Reader');
  await createAgent(api, { name: agent, kind: 'WORKER', config: { queue: 'tickets' } });
  const name = unique('Tickets');
  const definition = (description: string) => ({ name, description, steps: [{ key: 'read', agent }] });
  return { name, definition, id: await createWorkflow(api, definition('Reads tickets.')) };
}

test('the list of workflows follows what others do', async ({ page, api, enter }) => {
  await enter(page, await api.person('Vera Rubin', ['VIEWER']), '/workflows');
  await expect(page.getByRole('heading', { name: 'Workflows', level: 1 })).toBeVisible();
  const { id, name, definition } = await tickets(api);
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText('Reads tickets.');
  await change(api, 'updateWorkflow', { workflowId: id, baseVersion: 1, definition: definition('Reads them all.'), draft: true });
  await expect(row).toContainText('Draft');
  await change(api, 'updateWorkflow', { workflowId: id, baseVersion: 1, definition: definition('Reads them all.') });
  await expect(row).toContainText('Version 2');
  await expect(row).toContainText('Reads them all.');
  await change(api, 'archiveWorkflow', { workflowId: id });
  await expect(row).toBeHidden();
});

test('a new version by somebody else is shown, and never replaces what is being written', async ({ page, api, enter }) => {
  const { id, definition } = await tickets(api);
  await enter(page, await api.person('Ada Byron', ['AUTHOR']), `/workflows/${id}?tab=definition`);
  const text = page.getByRole('textbox', { name: 'Definition of the workflow' });
  await expect(text).toContainText('Reads tickets.');
  await change(api, 'updateWorkflow', { workflowId: id, baseVersion: 1, definition: definition('Second.') });
  await expect(text).toContainText('Second.');
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  await expect(page.getByText('Not saved')).toBeHidden();

  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('onError: CONTINUE\n');
  await change(api, 'updateWorkflow', { workflowId: id, baseVersion: 2, definition: definition('Third.') });
  const news = page.getByRole('alert').filter({ hasText: 'There is version 3 by now' });
  await expect(news).toBeVisible();
  await expect(text).toContainText('onError: CONTINUE');
  await expect(text).toContainText('Second.');
  await news.getByRole('button', { name: 'Show the difference' }).click();
  await expect(news.getByRole('region', { name: 'What differs in your text' })).toContainText('Third.');
  await expectAccessible(page);
  await takeScreenshots(page, 'workflow-newer');

  await news.getByRole('button', { name: 'Go on with mine' }).click();
  await expect(news).toBeHidden();
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await expect(page.getByText('Version 4', { exact: true })).toBeVisible();
  await expect(text).toContainText('Second.');

  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('# mine\n');
  await change(api, 'updateWorkflow', { workflowId: id, baseVersion: 4, definition: definition('A draft.'), draft: true });
  const draft = page.getByRole('alert').filter({ hasText: 'There is a newer draft by now' });
  await draft.getByRole('button', { name: 'Take over theirs' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take it over' }).click();
  await expect(text).toContainText('A draft.');
  await expect(text).not.toContainText('# mine');
  await expect(draft).toBeHidden();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await change(api, 'restoreWorkflowVersion', { workflowId: id, version: 1, baseVersion: 4 });
  await expect(page.getByRole('region', { name: 'Version 5' })).toContainText('From version 1');
});

test('what is saved here is no news here, also while somebody types on', async ({ page, api, enter }) => {
  const { id } = await tickets(api);
  await enter(page, await api.person('Ada Byron', ['AUTHOR']), `/workflows/${id}?tab=definition`);
  const text = page.getByRole('textbox', { name: 'Definition of the workflow' });
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('# why it goes on\nonError: CONTINUE\n');
  // The answer waits until more has been typed; the subscription tells of the version before that.
  let answer = () => {};
  const typed = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('mutation SaveWorkflow')) {
      const response = await route.fetch();
      await typed;
      return route.fulfill({ response });
    }
    return route.fallback();
  });
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('defaults: {}\n');
  answer();
  await expect(page.getByText('Saved as version 2.')).toBeVisible();
  await expect(page.getByText('Not saved')).toBeVisible();
  await expect(page.getByText('by now')).toBeHidden();
  await expect(text).toContainText('# why it goes on');
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await expect(page.getByText('Version 3', { exact: true })).toBeVisible();
  await expect(text).toContainText('# why it goes on');
});

test('the agents and the one that is open follow, and a form says that there is a newer version', async ({ page, api, enter }) => {
  await enter(page, await api.person('Ada Byron', ['AUTHOR']), '/agents');
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible();
  const name = unique('Payments');
  const agentId = await createAgent(api, { name, kind: 'WORKER', description: 'Pays.', config: { queue: 'one' } });
  await page.getByRole('button', { name, exact: true }).click();
  const drawer = page.getByRole('dialog');
  await change(api, 'updateAgent', { agentId, baseVersion: 1, description: 'Pays money back.', config: { queue: 'two' } });
  await expect(drawer.getByText(/^Version 2/)).toBeVisible();
  await expect(drawer.getByRole('textbox', { name: `config of ${name}` })).toContainText('"queue": "two"');
  await drawer.getByRole('button', { name: 'Edit' }).click();
  await drawer.getByLabel('Description').fill('Pays at once.');
  await change(api, 'updateAgent', { agentId, baseVersion: 2, description: 'Pays later.' });
  await expect(drawer.getByRole('alert').filter({ hasText: 'There is version 3 by now' })).toBeVisible();
  await expect(drawer.getByLabel('Description')).toHaveValue('Pays at once.');
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Cancel' }).click();
  await expect(drawer.getByText('Pays later.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await change(api, 'archiveAgent', { agentId });
  await expect(page.getByRole('button', { name, exact: true })).toBeHidden();
});

test('filters offer what was made a moment ago', async ({ page, api, enter }) => {
  await enter(page, await api.person('Vera Rubin', ['VIEWER']), '/executions');
  await expect(page.getByRole('heading', { name: 'Executions', level: 1 })).toBeVisible();
  const field = page.getByRole('combobox', { name: 'Workflow' });
  await field.click();
  const { name } = await tickets(api);
  await expect(page.getByRole('option', { name })).toBeVisible();
});

test('members, groups and what one may do follow without a reload', async ({ page, api, enter }) => {
  const vera = await api.person('Vera Rubin', ['VIEWER']);
  await enter(page, vera, '/settings/groups');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  const name = unique('Astronomers');
  await change(api, 'createGroup', { name });
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByLabel('Search people').fill('Henrietta');
  await expect(page.getByText('0 people')).toBeVisible();
  await api.person('Henrietta Leavitt', ['VIEWER']);
  await expect(page.getByText('Henrietta Leavitt')).toBeVisible();

  await page.getByRole('navigation').getByRole('link', { name: 'Workflows' }).click();
  await expect(page.getByRole('link', { name: 'New workflow' })).toBeHidden();
  const { users } = await api.send<{ users: { nodes: { id: string }[] } }>('query ($text: String!) { users(filter: { text: $text }) { nodes { id } } }', { text: vera.email });
  await change(api, 'changeUserRoles', { userId: users.nodes[0]?.id, roles: ['VIEWER', 'AUTHOR'] });
  await expect(page.getByRole('link', { name: 'New workflow' })).toBeVisible();
});

test('everybody sees another policy at once, not only administrators', async ({ page, own, enter }) => {
  const person = await own.api.person('Vera Rubin', ['VIEWER']);
  await enter(page, person, `${own.url}/policies`);
  await expect(page.getByRole('heading', { name: 'Policies', level: 1 })).toBeVisible();
  await setPolicy(own.api, 'version: "1.0"\ncheckpoints:\n  - name: Every refund\n    priority: 1\n    trigger: { operation_type: [refund] }\n');
  await expect(page.getByRole('textbox', { name: 'Policy' })).toContainText('Every refund');
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByRole('region', { name: 'Version 1', exact: true })).toBeVisible();
  await setPolicy(own.api, 'version: "1.0"\ncheckpoints:\n  - name: Every payout\n    priority: 1\n    trigger: { operation_type: [payout] }\n');
  await expect(page.getByRole('region', { name: 'Version 2', exact: true })).toContainText('Every payout');
});

test('my sessions come and go by themselves, and those of others are not mine to see', async ({ page, api, enter }) => {
  const ada = await api.person('Ada Byron', ['APPROVER']);
  await enter(page, ada, '/settings/profile');
  const sessions = page.getByRole('region', { name: 'Sessions' });
  const ends = sessions.getByRole('button', { name: 'End it' });
  await expect(sessions.getByText('This one')).toBeVisible();
  const before = await ends.count();
  await api.as(await api.person('Grace Hopper', ['APPROVER']));
  const elsewhere = await api.as(ada);
  await expect(ends).toHaveCount(before + 1);
  await elsewhere.send('mutation { signOut(input: {}) { userErrors { code message path } } }');
  await expect(ends).toHaveCount(before);
  await expect(sessions.getByText('This one')).toBeVisible();
});

test('a token that is used, made or taken back elsewhere is seen at once', async ({ page, api, enter, server }) => {
  await enter(page, await api.person('Ada Byron', ['ADMIN']), '/settings/tokens');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  const name = unique('Nightly');
  const { createApiToken } = await api.send<{ createApiToken: { secret: string; apiToken: { id: string } } }>(
    `mutation ($name: String!) { createApiToken(input: { name: $name, roles: [VIEWER] }) { secret apiToken { id } ${ERRORS} } }`,
    { name },
  );
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row.getByRole('cell', { name: 'Never' })).toHaveCount(2);
  await new Api(server.url, createApiToken.secret).send('{ viewer { displayName } }');
  await expect(row).toContainText('now');
  await change(api, 'revokeApiToken', { apiTokenId: createApiToken.apiToken.id });
  await expect(row).toContainText('Revoked');
});
