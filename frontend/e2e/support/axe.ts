import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** No violation of WCAG 2.2 A and AA, nor of axe's good practice, on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours in the middle of a transition are nobody's fault.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Whatever lies under the pointer by now may be about to show a tooltip.
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  // In the page itself: otherwise axe opens and closes another tab each time, and the page is in the background meanwhile.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const told = violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `    ${html}\n      ${failureSummary}`).join('\n')}`);
  expect(told.join('\n')).toBe('');
}
