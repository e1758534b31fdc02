import config from '../../playwright.config.ts';

/** `npm run screenshots` takes the pictures of the README, from games that are played for it; `npm run look` and `LOOK=people npm run screenshots` those for the eye. */
export default { ...config, testDir: '.', testMatch: { people: 'people.ts', '1': 'look.ts' }[process.env['LOOK'] ?? ''] ?? 'take.ts', outputDir: '../../test-results', timeout: 600_000 };
