import type { Api } from './support/api';
import { setPolicy } from './support/approvals';
import { expectAccessible } from './support/axe';
import { expect, test } from './support/test';
import { createAgent, createWorkflow, unique } from './support/workflows';

/* What is chosen from lists that are longer than a page of the API. */

const MANY = 120;

/** Workflows of the same beginning, in the order of their names. */
async function manyWorkflows(api: Api): Promise<{ names: string[]; ids: string[]; agents: string[] }> {
  const family = unique('Routine');
  const names = Array.from({ length: MANY }, (_, index) => `${family} ${String(index).padStart(3, '0')}`);
  const agents = await Promise.all(names.map((name) => createAgent(api, { name, kind: 'WORKER', config: { queue: 'nobody' } })));
  const ids = await Promise.all(names.map((name) => createWorkflow(api, { name, steps: [{ key: 'work', agent: name, gate: 'NEVER' }] })));
  return { names, ids, agents };
}

test('every workflow and agent can be found in the inbox, and a link names what it has chosen', async ({ page, own: { api, url }, enter }) => {
  const { names, ids, agents } = await manyWorkflows(api);
  const last = names[MANY - 1] ?? '';
  await enter(page, await api.person('Ada Byron', ['APPROVER']), `${url}/inbox`);
  const workflow = page.getByRole('combobox', { name: 'Workflow' });
  await workflow.click();
  await expect(page.getByRole('option', { name: names[0] ?? '' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'There are more' })).toBeDisabled();
  await expect(page.getByRole('option', { name: last })).toBeHidden();
  // The list belongs to the page, and its own scrolling is within reach of the keyboard.
  await expectAccessible(page);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('option', { name: names[49] ?? '' })).toBeInViewport();
  await workflow.fill(last.slice(-7));
  await page.getByRole('option', { name: last }).click();
  await expect(page).toHaveURL(new RegExp(`workflow=${ids[MANY - 1]}`));

  const agent = page.getByRole('combobox', { name: 'Agent' });
  await agent.fill(last);
  await page.getByRole('option', { name: last }).click();
  await expect(page).toHaveURL(new RegExp(`agent=${agents[MANY - 1]}`));
  await page.reload();
  await expect(workflow).toHaveValue(last);
  await expect(agent).toHaveValue(last);
  await expectAccessible(page);
  // Looking for another one begins from the whole list, not from the one that is chosen.
  await agent.click();
  await expect(page.getByRole('option', { name: names[0] ?? '' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(workflow).toHaveValue('');
  await expect(agent).toHaveValue('');
});

test('somebody who comes while one looks can be picked, and a link names whom it has chosen', async ({ page, api, enter }) => {
  const admin = await api.person('Ada Byron', ['ADMIN']);
  await enter(page, admin, '/audit');
  const who = page.getByRole('combobox', { name: 'Who' });
  const name = unique('Katherine Johnson');
  await who.fill(name);
  await expect(page.getByText('Nobody found')).toBeVisible();
  const { email } = await api.invite(name, ['VIEWER']);
  await page.getByRole('option', { name: email }).click();
  await expect(page).toHaveURL(/actor=/);
  await page.reload();
  await expect(who).toHaveValue(`${name} (${email})`);
});

test('every kind of list is accessible while it is open, also in a dialog', async ({ page, api, enter }) => {
  await enter(page, await api.person('Ada Byron', ['ADMIN', 'APPROVER']), '/inbox');
  for (const name of ['Order', 'Risk', 'Agent']) {
    await page.getByRole('combobox', { name }).click();
    await expect(page.getByRole('listbox', { name })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  }
  await page.goto('/audit');
  await page.getByRole('combobox', { name: 'Actions' }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await page.goto('/settings/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog').getByRole('combobox').first().click();
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeInViewport();
  await expectAccessible(page);
});

test('who is locked out is found in the audit log, but nothing can be handed to them', async ({ page, api, enter }) => {
  const name = unique('Dorothy Vaughan');
  const { email } = await api.person(name, ['APPROVER']);
  const { users } = await api.send<{ users: { nodes: { id: string }[] } }>('query ($text: String) { users(first: 1, filter: { text: $text }) { nodes { id } } }', { text: email });
  await api.send('mutation ($input: DisableUserInput!) { disableUser(input: $input) { userErrors { code message path } } }', { input: { userId: users.nodes[0]?.id } });
  const ada = await api.person('Ada Byron', ['ADMIN', 'APPROVER']);

  await enter(page, ada, '/audit');
  await page.getByRole('combobox', { name: 'Who' }).fill(email);
  await page.getByRole('option', { name: email }).click();
  await expect(page).toHaveURL(/actor=/);
  const entries = page.getByRole('table').getByRole('row');
  await expect(entries.filter({ hasText: name }).first()).toBeVisible();
  await expect(entries.filter({ hasText: 'Ada Byron' })).toHaveCount(0);

  await page.goto('/settings/profile');
  await page.getByRole('combobox', { name: 'Who decides in your place' }).fill(email);
  await expect(page.getByText('Nobody found')).toBeVisible();
});

test('what is pressed before the server has searched is still there when the hand lets go', async ({ page, own: { api, url }, enter }) => {
  for (const name of ['Bertha Benz', 'Clara Immerwahr']) await api.invite(name, ['VIEWER']);
  const { email } = await api.invite('Dorothy Vaughan', ['VIEWER']);
  await enter(page, await api.person('Ada Byron', ['ADMIN']), `${url}/audit`);
  const who = page.getByRole('combobox', { name: 'Who' });
  await who.click();
  await expect(page.getByRole('option', { name: 'Bertha Benz' })).toBeVisible();
  const answered = page.waitForResponse((response) => response.request().postData()?.includes(email) ?? false);
  await who.fill(email);
  await expect(page.getByRole('option', { name: 'Bertha Benz' })).toBeHidden();
  await page.getByRole('option', { name: email }).hover();
  await page.mouse.down();
  await answered;
  await page.mouse.up();
  await expect(page).toHaveURL(/actor=/);
});

test('a group of more than a hundred shows all of them, and can be searched', async ({ page, own: { api, url }, enter }) => {
  const numbers = Array.from({ length: MANY }, (_, index) => String(index).padStart(3, '0'));
  const invite = 'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { user { id } userErrors { code message path } } }';
  const people = await Promise.all(
    numbers.map((number) => api.send<{ inviteUser: { user: { id: string } } }>(invite, { input: { email: `member.${number}@example.com`, displayName: `Member ${number}`, roles: ['VIEWER'] } })),
  );
  const { createGroup } = await api.send<{ createGroup: { group: { id: string } } }>(
    'mutation { createGroup(input: { name: "everybody" }) { group { id } userErrors { code message path } } }',
  );
  const add = 'mutation ($input: AddGroupMembersInput!) { addGroupMembers(input: $input) { userErrors { code message path } } }';
  await api.send(add, { input: { groupId: createGroup.group.id, userIds: people.map(({ inviteUser }) => inviteUser.user.id) } });

  await enter(page, await api.person('Ada Byron', ['ADMIN']), `${url}/settings/groups?group=${createGroup.group.id}`);
  const members = page.getByRole('region', { name: 'Members' });
  await expect(members.getByText(`${MANY} people`)).toBeVisible();
  await expect(members.getByText('Member 000', { exact: true })).toBeVisible();
  await expect(members.getByText('Member 119', { exact: true })).toBeHidden();
  await members.getByRole('searchbox', { name: 'Search the members' }).fill('member.119');
  await expect(members.getByText('Member 119', { exact: true })).toBeVisible();
  await expect(members.getByText('Member 000', { exact: true })).toBeHidden();
  await members.getByRole('button', { name: 'Remove Member 119' }).click();
  await expect(members.getByText('None of its members is called that.')).toBeVisible();
  await expect(members.getByText(`${MANY - 1} people`)).toBeVisible();
  await members.getByRole('button', { name: 'Clear the search' }).click();
  await members.getByRole('button', { name: 'Show more members' }).click();
  await expect(members.getByText('Member 099', { exact: true })).toBeVisible();
  await members.getByRole('button', { name: 'Show more members' }).click();
  await expect(members.getByText('Member 118', { exact: true })).toBeVisible();
  await expect(members.getByRole('button', { name: 'Show more members' })).toBeHidden();
  await expectAccessible(page);
});

test('the oldest of many versions can be reached', async ({ page, own: { api, url }, enter }) => {
  await createAgent(api, { name: 'Nobody', kind: 'WORKER', config: { queue: 'nobody' } });
  const definition = (version: number) => ({ name: 'Much edited', description: `Version ${version}`, steps: [{ key: 'work', agent: 'Nobody', gate: 'NEVER' }] });
  const id = await createWorkflow(api, definition(1));
  const update = 'mutation ($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { userErrors { code message path } } }';
  for (let version = 1; version <= 54; version += 1) {
    await api.send(update, { input: { workflowId: id, baseVersion: version, definition: definition(version + 1) } });
    await setPolicy(api, `version: "1.0"\ncheckpoints:\n  - name: Payouts ${version}\n    trigger: { operation_type: payout }\n    action: { require_approval_count: 1 }\n`);
  }
  await enter(page, await api.person('Ada Byron', ['AUTHOR']), `${url}/workflows/${id}?tab=versions`);
  await expect(page.getByRole('region', { name: 'Version 55', exact: true })).toBeVisible();
  const oldest = page.getByRole('region', { name: 'Version 1', exact: true });
  await expect(oldest).toBeHidden();
  await page.getByRole('button', { name: 'Show older versions' }).click();
  await expect(oldest).toBeVisible();
  // Somebody saves another one: it comes to the top, and what was read stays.
  await api.send(update, { input: { workflowId: id, baseVersion: 55, definition: definition(56) } });
  await expect(page.getByRole('region', { name: 'Version 56', exact: true })).toBeVisible();
  await expect(oldest).toBeVisible();

  await page.goto(`${url}/policies?tab=versions`);
  const versions = page.getByRole('navigation', { name: 'Versions of the policy' });
  // The last one of the first page is no beginning: what it changed is shown beside the one before.
  await versions.getByRole('button', { name: /^Version 5 ?\D/ }).click();
  await expect(page.getByText('What version 5 changed')).toBeVisible();
  await expect(page.getByLabel('Changes of version 5')).toContainText('Payouts 4');
  await versions.getByRole('button', { name: /^Version 1 ?\D/ }).click();
  await expect(page.getByText('Version 1, the first')).toBeVisible();
});
