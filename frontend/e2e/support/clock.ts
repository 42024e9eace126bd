import type { Page } from '@playwright/test';

/*
 * Time that passes only when a test says so: a slow machine must not end what somebody has a few seconds for. Call
 * `page.clock.install()` before the page is opened, and `stopClock` when it shows what the test begins with; then move on with
 * `page.clock.runFor`. Screenshots and axe wait for timers of the page: `page.clock.resume()` comes before them.
 */

/** Further than the page's clock can have come until it stops. */
const AHEAD_MS = 60_000;

export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate((ahead) => Date.now() + ahead, AHEAD_MS));
}

/** Stops what the browser itself animates, which `page.clock` does not reach. Returns what lets it go on. */
export async function stopAnimations(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Animation.enable');
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 });
  return async () => {
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 1 });
    await devtools.detach();
  };
}
