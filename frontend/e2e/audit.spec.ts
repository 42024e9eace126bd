import { expectAccessible } from './support/axe';
import { complaintsOf, expectNoOverflow } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { decideRefunds } from './support/stories';
import { expect, test } from './support/test';

test('the log is live, filtered, explained, verified and taken along', async ({ page, api, enter }) => {
  const complaints = complaintsOf(page);
  const admin = await api.person('Ada Byron', ['ADMIN', 'APPROVER']);
  await decideRefunds(api, await api.as(admin), 3);
  await enter(page, admin, '/audit');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('link', { name: 'Checkpoint approved' }).first()).toBeVisible();

  const group = `audited-${Date.now()}`;
  const { createGroup } = await api.send<{ createGroup: { group: { id: string } } }>(
    'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } userErrors { code message path } } }',
    { input: { name: group, description: 'Before' } },
  );
  // The tail: nobody reloads.
  await expect(log.getByRole('link', { name: 'Group created' }).first()).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'audit');

  await api.send('mutation ($input: UpdateGroupInput!) { updateGroup(input: $input) { userErrors { code message path } } }', {
    input: { groupId: createGroup.group.id, description: 'After' },
  });
  await page.getByRole('combobox', { name: 'Actions' }).fill('group up');
  await page.getByRole('option', { name: 'Group updated' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/action=GROUP_UPDATED/);
  await expect(log.getByRole('link', { name: 'Checkpoint approved' })).toHaveCount(0);
  await log.getByRole('link', { name: 'Group updated' }).first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('region', { name: 'What changed' })).toContainText('After');
  await expectAccessible(page);
  await takeScreenshots(page, 'audit-entry');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(page).not.toHaveURL(/entry=/);

  await page.getByRole('button', { name: 'Verify the log' }).click();
  await expect(page.getByText(/^Sound: \d+ entries/)).toBeVisible();
  await expect(page.getByText('The head is remembered here')).toBeVisible();
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await expect(page.getByText('the head of the last check, is still there unchanged')).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'audit-verified');

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
  expect(file.suggestedFilename()).toBe('audit.jsonl');

  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('a log that was tampered with on its way is found out', async ({ page, api, enter }) => {
  await enter(page, await api.person('Mary Shelley', ['ADMIN']), '/audit');
  await page.route('**/audit.jsonl', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('"action":"user.invited"', '"action":"user.disabled"');
    await route.fulfill({ response, body });
  });
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await expect(page.getByText(/^Broken: entry \d+ was changed/)).toBeVisible();
  await expect(page.getByText(/what it says does not match its hash/i)).toBeVisible();
  await expectAccessible(page);
  await takeScreenshots(page, 'audit-broken');
});

test('who is no administrator is told so', async ({ page, api, enter }) => {
  await enter(page, await api.person('Grace Hopper', ['APPROVER']), '/audit');
  await expect(page.getByRole('heading', { name: 'The audit log is for administrators' })).toBeVisible();
  await expectAccessible(page);
});
