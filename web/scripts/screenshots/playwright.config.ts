import config from '../../playwright.config.ts';

/** `npm run screenshots` takes the pictures of the README, from games that are played for it. */
export default { ...config, testDir: '.', testMatch: 'take.ts', outputDir: '../../test-results', timeout: 600_000 };
