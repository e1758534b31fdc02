import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import type { Options } from './tests/browser/support/test.ts';

/** Tests in a real browser: Chromium as Debian packages it, without windows where that is installed, or another by `CHROMIUM=…`. */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Where somebody looks at pictures, also at those of tests that fail, pages are drawn: `DRAWN=1`. */
const drawn = Boolean(process.env.DRAWN ?? process.env.PICTURES ?? process.env.LOOK_AT);

export default defineConfig<Options>({
  testDir: 'tests/browser',
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  retries: process.env.CI ? 1 : 0, // told as flaky, and to be mended: a landing does not hang on one unlucky moment
  workers: 2,
  timeout: 420_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./tests/browser/support/failures.ts']],
  outputDir: 'test-results',
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    locale: 'en',
    drawn,
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM || CHROMIUMS.find((one) => existsSync(one)),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
