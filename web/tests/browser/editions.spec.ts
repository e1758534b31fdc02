/** Whole games against bots, by clicks alone, to the final score; the other editions are played by keyboard and by touch. Records are proved. */
import { readFileSync } from 'node:fs';
import { proveRecord } from './support/checks.ts';
import { HELD, Player } from './support/player.ts';
import { expectStill, watchShifts } from './support/shifts.ts';
import { expect, playBots, sized, SMALL, test } from './support/test.ts';

const EDITIONS = ['usa', 'usa-classic', 'europe', 'mega-europe'];
/** In keyboard.spec.ts and touch.spec.ts. */
const ELSEWHERE = ['europe-1912', 'big-cities'];

test('these are all the editions', async ({ person }) => {
  const page = await person();
  await expect(page.locator('[data-edition] option')).toHaveCount(EDITIONS.length + ELSEWHERE.length);
  for (const edition of [...EDITIONS, ...ELSEWHERE]) await expect(page.locator(`[data-edition] option[value=${edition}]`)).toBeAttached();
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

    const record = await proveRecord(page, replay);
    if (!holds) return;
    await expectStill(page, '1280 px');
    for (const kind of ['keep', 'draw', 'take', 'claim', 'station']) expect(player.done[`back ${kind}`], kind).toBe(1);
    // What was taken back has not happened: one station was paid for twice, and stands once.
    expect(player.done['station']).toBe(2);
    const stations = readFileSync(record, 'utf8').split('\n').filter((line) => line.includes('"event":"station","player":0'));
    expect(stations).toHaveLength(1);
  });
}
