import type { Page } from '@playwright/test';

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** The page in light and dark, on a desktop and a phone, to be looked at: e2e/screenshots/NAME-desktop-light.png and so on. */
export async function takeScreenshots(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  const before = page.viewportSize();
  // What is fixed to the window would be in the middle of a picture of the whole page.
  if (options.fullPage) await page.evaluate(() => scrollTo(0, 0));
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      await page.screenshot({ path: `e2e/screenshots/${name}-${device}-${colorScheme}.png`, fullPage: options.fullPage ?? false });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

/** Charts and virtual lists measure themselves after a change: it is over when several frames are drawn that are all the same. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let [before, same] = ['', 0];
        const look = () => {
          const { scrollWidth, scrollHeight, outerHTML } = document.documentElement;
          const now = `${scrollWidth} ${scrollHeight} ${outerHTML}`;
          same = now === before ? same + 1 : 0;
          before = now;
          if (same === 8) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}
