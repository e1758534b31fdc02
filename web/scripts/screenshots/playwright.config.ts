import config from '../../playwright.config.ts';

/** `npm run screenshots` takes the pictures of the README, from games that are played for it; `npm run look`, `look:film` and `look:people` those for the eye, `npm run speed:film` and `npm run speed:learn` measure. */
export default {
  ...config,
  use: { ...config.use, drawn: true },
  testDir: '.',
  testMatch:
    { '1': 'look.ts', film: 'film.ts', people: 'people.ts', speed: 'speed.ts', learner: 'learner.ts' }[
      process.env['LOOK'] ?? ''
    ] ?? 'take.ts',
  outputDir: '../../test-results',
  timeout: 3_600_000,
};
