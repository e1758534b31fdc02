/** Whole games against bots, by clicks alone, to the final score: in every edition. Their records are proved. */
import { readFileSync } from 'node:fs';
import { HELD, Player } from './support/player.ts';
import { expectStill, watchShifts } from './support/shifts.ts';
import { expect, playBots, sized, SMALL, test } from './support/test.ts';

const EDITIONS = ['usa', 'usa-classic', 'europe', 'europe-1912', 'big-cities', 'mega-europe'];

test('these are all the editions', async ({ person }) => {
  const page = await person();
  await expect(page.locator('[data-edition] option')).toHaveCount(EDITIONS.length);
});

for (const edition of EDITIONS) {
  const holds = edition === 'europe';
  test(`a whole game${holds ? ' with moves that are held, taken back and carried out' : ''}: ${edition}`, async ({ person, replay }) => {
    const page = await person(holds ? { viewport: sized(1280), settings: HELD } : SMALL);
    await playBots(page, edition);
    await page.locator('[data-keep]').waitFor();
    if (holds) await watchShifts(page);
    const player = new Player(page, holds ? { once: ['station', 'take'], back: ['keep', 'draw', 'take', 'claim', 'station'] } : {});
    await player.playOut();
    await expect(page.locator('.final td.total')).toHaveCount(2);
    expect(player.done['claim']).toBeGreaterThan(5);

    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-record]').click()]);
    const record = `${await download.path()}.jsonl`;
    await download.saveAs(record);
    const [total] = await page.locator('.final td.total').allTextContents();
    expect(await replay(record)).toContain(total);
    if (!holds) return;
    await expectStill(page, '1280 px');
    for (const kind of ['keep', 'draw', 'take', 'claim', 'station']) expect(player.done[`back ${kind}`], kind).toBe(1);
    // What was taken back has not happened: one station was paid for twice, and stands once.
    expect(player.done['station']).toBe(2);
    const stations = readFileSync(record, 'utf8').split('\n').filter((line) => line.includes('"event":"station","player":0'));
    expect(stations).toHaveLength(1);
  });
}
