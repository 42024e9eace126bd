import { expect, type Page } from '@playwright/test';

/** What the browser complains of: violations of the policy, errors of scripts. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** Nothing is wider than the phone. */
export async function expectNoOverflow(page: Page): Promise<void> {
  // A page that has just become narrower needs a moment to follow.
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(wide, 'nothing sticks out').toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

/** Everything has come that the page was waiting for. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('.mantine-Skeleton-root, .mantine-Loader-root').filter({ visible: true })).toHaveCount(0);
}

/** A clock that runs while the page's own thread works: how many seconds so far. */
export async function busyTime(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

/**
 * To be called before the page is opened: ends when it hears of what happens. As soon as it is connected, it asks once more for
 * what it counts.
 */
export async function untilLive(page: Page): Promise<void> {
  let counts = 0;
  await page.waitForResponse((response) => response.request().postData()?.includes('InboxCounts') === true && (counts += 1) === 2);
}
