import config from '../../playwright.config.ts';

/** `npm run screenshots` takes the pictures of the README, from games that are played for it; `npm run look` those for the eye. */
export default {
  ...config,
  use: { ...config.use, drawn: true },
  reporter: 'list',
  testDir: '.',
  testMatch: process.env['LOOK'] ? 'look.ts' : 'take.ts',
  outputDir: '../../test-results',
  timeout: 3_600_000,
};
