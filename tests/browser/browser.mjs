// A Chromium that talks to nobody but the server under test, and reports what goes wrong in its pages.
import { chromium } from 'playwright-core';

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const BREACH = /content security policy|refused to/i;

/** Runs `test(page)` and fails on any error of the page itself, such as a breach of its content security policy. */
export async function withPage(test) {
  const browser = await chromium.launch({ executablePath: process.env.COUNTERSIGN_TEST_CHROMIUM, args: QUIET });
  const troubles = [];
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
    // Other lines are the browser's own remarks, such as on a socket that a reload has cut.
    page.on('console', (message) => BREACH.test(message.text()) && troubles.push(`console: ${message.text()}`));
    await test(page);
  } finally {
    await browser.close();
  }
  if (troubles.length > 0) throw new Error(troubles.join('\n'));
}
