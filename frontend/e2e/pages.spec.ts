import type { Page } from '@playwright/test';
import type { Api } from './support/api';
import { refundStep } from './support/approvals';
import { expectAccessible } from './support/axe';
import { complaintsOf, expectLoaded, expectNoOverflow } from './support/page-checks';
import { deliver } from './support/stories';
import { expect, test } from './support/test';
import { createAgent, createTriage, createWorkflow, startExecution, unique } from './support/workflows';

/*
 * Every page, as somebody sees it who may do everything: light on a desktop, dark on a phone. Nothing that axe finds, nothing
 * that sticks out, nothing that the browser complains of. What can be done on a page is in the page's own file.
 */

interface World {
  checkpoint: string;
  execution: string;
  workflow: string;
  deliverable: string;
}

// One for the server of each worker, made when the first page needs it.
let world: Promise<World> | null = null;

async function createWorld(api: Api): Promise<World> {
  const checkpoint = await refundStep(api);
  const { workflowId: workflow } = await createTriage(api, { gate: 'ALWAYS' });
  const execution = await startExecution(api, workflow, { subject: 'Mail is down' }, { correlationId: 'ticket 4711' });
  const { id: deliverable } = await deliver(api, { name: 'report.md', content: { text: '# Report\n\nAll is well.\n' } });
  return { checkpoint, execution, workflow, deliverable };
}

const PAGES: Record<string, (world: World) => string> = {
  inbox: () => '/inbox',
  checkpoint: ({ checkpoint }) => `/checkpoints/${checkpoint}`,
  executions: () => '/executions',
  execution: ({ execution }) => `/executions/${execution}`,
  workflows: () => '/workflows',
  'a new workflow': () => '/workflows/new',
  workflow: ({ workflow }) => `/workflows/${workflow}`,
  'workflow, definition': ({ workflow }) => `/workflows/${workflow}?tab=definition`,
  'workflow, versions': ({ workflow }) => `/workflows/${workflow}?tab=versions`,
  'workflow, preview': ({ workflow }) => `/workflows/${workflow}?tab=preview`,
  agents: () => '/agents',
  deliverables: () => '/deliverables',
  deliverable: ({ deliverable }) => `/deliverables/${deliverable}`,
  audit: () => '/audit',
  policies: () => '/policies',
  'policies, try': () => '/policies?tab=try',
  'policies, back-test': () => '/policies?tab=backtest',
  'policies, rules': () => '/policies?tab=rules',
  'policies, suggestions': () => '/policies?tab=suggestions',
  'policies, versions': () => '/policies?tab=versions',
  analytics: () => '/analytics',
  profile: () => '/settings/profile',
  appearance: () => '/settings/appearance',
  members: () => '/settings/members',
  groups: () => '/settings/groups',
  tokens: () => '/settings/tokens',
  'service accounts': () => '/settings/service-accounts',
  secrets: () => '/settings/secrets',
  workspace: () => '/settings/workspace',
  'nothing here': () => '/no/such/page',
};

for (const [name, path] of Object.entries(PAGES)) {
  test(`every page: ${name}`, async ({ page, api, enter }) => {
    const complaints = complaintsOf(page);
    world ??= createWorld(api);
    await page.emulateMedia({ colorScheme: 'light' });
    await enter(page, await api.person('Ada Byron', ['ADMIN', 'APPROVER', 'AUTHOR', 'OPERATOR']), path(await world));
    await expectLoaded(page);
    await expectAccessible(page);

    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectLoaded(page);
    await expectNoOverflow(page);
    await expectChosenInSight(page);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
}

/** A row of tabs that is wider than the phone shows the one that is open. */
async function expectChosenInSight(page: Page): Promise<void> {
  const chosen = page.getByRole('main').locator('[role=tab][aria-selected=true], nav a.active');
  const outside = () =>
    chosen.evaluateAll((tabs) => tabs.filter((tab) => tab.getBoundingClientRect().left < 0 || tab.getBoundingClientRect().right > innerWidth).map((tab) => tab.textContent));
  await expect.poll(outside).toEqual([]);
}

test('long words break, wherever they stand', async ({ page, own: { api, url }, enter }) => {
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(30);
  const name = unique('Long').replaceAll(' ', '') + word;
  const [agent, called] = [name.slice(0, 100), { name: name.slice(0, 100), description: word.slice(0, 900) }];
  await createAgent(api, { ...called, kind: 'WORKER', config: { queue: unique('long').replaceAll(/\W/g, '-') } });
  const inputSchema = { properties: { [word.slice(0, 60)]: { type: 'string', title: word.slice(0, 100), description: word.slice(0, 300) } } };
  const workflow = await createWorkflow(api, { ...called, inputSchema, steps: [{ key: 'a'.repeat(60), agent }] });
  const execution = await startExecution(api, workflow, { [word.slice(0, 60)]: word }, { correlationId: word.slice(0, 150) });
  const { id: deliverable } = await deliver(api, { executionId: execution, name: `${name.slice(0, 180)}.md`, description: word, content: { text: `# ${word}\n\n${word}\n` } });
  const checkpoint = await api.requestApproval({
    description: word,
    parameters: { [word.slice(0, 80)]: word },
    reasoning: word,
    supportingData: { [word.slice(0, 50)]: word },
    alternatives: [word.slice(0, 400)],
    items: [{ id: word.slice(0, 150), label: word.slice(0, 300), data: { [word.slice(0, 40)]: word } }],
  });
  await page.setViewportSize({ width: 360, height: 740 });
  const ada = await api.person('Ada Byron', ['ADMIN', 'APPROVER', 'AUTHOR', 'OPERATOR']);
  await enter(page, ada, `${url}/inbox`);
  const paths = ['/inbox', `/checkpoints/${checkpoint}`, '/executions', `/executions/${execution}`, '/workflows', `/workflows/${workflow}`, '/agents', '/deliverables', `/deliverables/${deliverable}`, '/audit'];
  for (const path of paths) {
    await page.goto(url + path);
    await expectLoaded(page);
    await expectNoOverflow(page);
  }

  await page.goto(`${url}/inbox`);
  const headline = `${word.slice(0, 160)}…`;
  await expect(page.getByRole('link', { name: headline, exact: true })).toBeVisible();
  await expect(page.getByText('More to read')).toBeVisible();
  // Of what is about to be done the headline says what fits, and all of it stands below.
  await page.goto(`${url}/checkpoints/${checkpoint}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(headline);
  await expect(page.getByRole('region', { name: 'What is to be done' })).toContainText(word);
});

test('the API explorer asks as whoever is signed in', async ({ page, api, enter }) => {
  const complaints = complaintsOf(page);
  await enter(page, await api.person('Grace Hopper', ['VIEWER']), '/graphiql');
  // Before its editor is there, the button does nothing.
  await expect(page.locator('.graphiql-query-editor .view-line').first()).not.toBeEmpty();
  await page.getByRole('button', { name: /^Execute query/ }).click();
  await expect(page.getByRole('region', { name: /^Result/ })).toContainText('Grace Hopper');
  expect(complaints).toEqual([]);
});
