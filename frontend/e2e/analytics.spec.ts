import { expectAccessible } from './support/axe';
import { complaintsOf, expectNoOverflow } from './support/page-checks';
import { takeScreenshots } from './support/screenshots';
import { decideRefunds, openShop, refund } from './support/stories';
import { expect, test } from './support/test';

test('figures of what happened, as charts and as tables', async ({ page, api, enter }) => {
  const complaints = complaintsOf(page);
  const person = await api.person('Ada Byron', ['APPROVER']);
  await decideRefunds(api, await api.as(person), 10);
  const shop = await openShop(api);
  for (const order of ['1', '2', '3']) await refund(api, shop, order);
  await refund(api, shop, '4', 'fail');

  await enter(page, person, '/analytics');
  const decisions = page.getByRole('region', { name: 'Decisions', exact: true });
  // The charts are loaded when they are first shown.
  await expect(decisions.locator('.recharts-surface').first()).toBeVisible({ timeout: 60_000 });
  const times = page.getByRole('region', { name: 'Time to decision' });
  await times.getByText('Person', { exact: true }).first().click();
  await expect(page).toHaveURL(/by=person/);
  await expect(times.getByRole('rowheader', { name: 'Ada Byron' })).toBeVisible();
  const agents = page.getByRole('region', { name: 'Agents', exact: true });
  await expect(agents.getByRole('row', { name: new RegExp(shop.agent) })).toContainText('25%');
  await expect(page.getByRole('region', { name: 'Cost and tokens' }).getByRole('row', { name: new RegExp(shop.workflow) })).toContainText('0.05');
  await expectAccessible(page);
  await takeScreenshots(page, 'analytics', { fullPage: true });

  // The same figures for who cannot see a chart.
  await decisions.getByText('As a table').click();
  await expect(decisions.getByRole('columnheader', { name: 'Rejected' })).toBeVisible();

  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Last 24 hours' }).click();
  await expect(page).toHaveURL(/range=24h/);
  await expect(page.getByText('Days as in Europe/Vienna')).toBeVisible();
  await page.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: shop.workflow }).click();
  await expect(page).toHaveURL(/workflow=wf_/);
  await expect(page.getByText('Nobody decided anything in this time.')).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  expect(complaints).toEqual([]);
});

test('figures of people are for those who decide', async ({ page, api, enter }) => {
  await enter(page, await api.person('Grace Hopper', ['VIEWER']), '/analytics?by=person');
  await expect(page.getByRole('region', { name: 'Time to decision' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Person' })).toBeHidden();
  await expectAccessible(page);
});
