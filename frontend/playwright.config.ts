import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  // Each worker has a server and a browser of its own.
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  // Generous, because machines that build and test at the same time are slow; a test that fails need not be fast.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'Europe/Vienna',
    trace: 'retain-on-failure',
    launchOptions: {
      // The distribution's browser: nothing is downloaded.
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      // Containers run as root, where Chromium's sandbox does not work.
      args: ['--no-sandbox'],
    },
  },
});
