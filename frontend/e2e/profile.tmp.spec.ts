import { writeFileSync } from 'node:fs';
import { expect, test } from './support/test';
test('profile', async ({ page, own: { api, url }, enter }) => {
  test.setTimeout(180_000);
  const ada = await api.person('Ada Byron', ['APPROVER']);
  for (let from = 0; from < 600; from += 20) await Promise.all(Array.from({ length: 20 }, (_, index) => api.requestApproval({ description: `Row ${from + index}` })));
  await enter(page, ada, `${url}/inbox`);
  await expect(page).toHaveTitle('(600) Inbox · Countersign');
  await page.waitForTimeout(2500);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Profiler.enable'); await cdp.send('Profiler.start');
  const frames = await page.evaluate(async () => {
    const out: number[] = [];
    for (let step = 0; step < 40; step += 1) {
      const start = performance.now();
      window.scrollBy(0, 900);
      await new Promise(requestAnimationFrame);
      out.push(Math.round(performance.now() - start));
    }
    return out;
  });
  const { profile } = await cdp.send('Profiler.stop');
  writeFileSync('/tmp/inbox.cpuprofile', JSON.stringify(profile));
  console.log(frames.join(' '));
});
