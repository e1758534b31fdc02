/** Whole games against bots, by clicks alone, to the final score: in every edition. */
import { Player } from './support/player.ts';
import { expect, playBots, test } from './support/test.ts';

const EDITIONS = ['usa', 'usa-classic', 'europe', 'europe-1912', 'big-cities', 'mega-europe'];

test('these are all the editions', async ({ person }) => {
  const page = await person();
  await expect(page.locator('[data-edition] option')).toHaveCount(EDITIONS.length);
});

for (const edition of EDITIONS) {
  test(`a whole game: ${edition}`, async ({ person }) => {
    const page = await person();
    await playBots(page, edition);
    const player = new Player(page);
    await player.playOut();
    await expect(page.locator('.final td.total')).toHaveCount(2);
    expect(player.done['claim']).toBeGreaterThan(5);
  });
}
