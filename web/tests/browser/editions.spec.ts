/** Whole games against bots, by clicks alone, to the final score: in every edition. Their records are proved. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Player } from './support/player.ts';
import { ENVIRONMENT, PYTHON } from './support/server.ts';
import { expect, playBots, SMALL, test } from './support/test.ts';

const EDITIONS = ['usa', 'usa-classic', 'europe', 'europe-1912', 'big-cities', 'mega-europe'];

test('these are all the editions', async ({ person }) => {
  const page = await person();
  await expect(page.locator('[data-edition] option')).toHaveCount(EDITIONS.length);
});

for (const edition of EDITIONS) {
  test(`a whole game: ${edition}`, async ({ person }) => {
    const page = await person(SMALL);
    await playBots(page, edition);
    const player = new Player(page);
    await player.playOut();
    await expect(page.locator('.final td.total')).toHaveCount(2);
    expect(player.done['claim']).toBeGreaterThan(5);

    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-record]').click()]);
    const record = `${await download.path()}.jsonl`;
    await download.saveAs(record);
    const { stdout } = await promisify(execFile)(PYTHON, ['-m', 'ferrovia', 'replay', record], { env: ENVIRONMENT });
    const [total] = await page.locator('.final td.total').allTextContents();
    expect(stdout).toContain(total);
  });
}
