/** Whole games against bots, by clicks alone, to the final score; the other editions are played where every state is looked at, and by touch. Records are proved. */
import { readFileSync } from 'node:fs';
import { proveRecord } from './support/checks.ts';
import { HELD, Player } from './support/players/player.ts';
import { expectStill, watchShifts } from './support/shifts.ts';
import { expect, playBots, sized, SMALL, test } from './support/test.ts';

const EDITIONS = ['usa', 'usa-classic', 'mega-europe'];
/** In states.spec.ts and touch.spec.ts; a short game on a board of one's own is played here with moves that are held. */
const ELSEWHERE = ['europe', 'europe-1912', 'big-cities', 'portugal'];

test('these are all the editions', async ({ person }) => {
  const page = await person();
  await expect(page.locator('[data-edition]:not([data-edition=new-board])')).toHaveCount(
    EDITIONS.length + ELSEWHERE.length,
  );
  for (const edition of [...EDITIONS, ...ELSEWHERE])
    await expect(page.locator(`[data-edition=${edition}]`)).toBeAttached();
});

for (const edition of EDITIONS) {
  test(`a whole game: ${edition}`, async ({ person, replay }) => {
    const page = await person(SMALL);
    await playBots(page, edition);
    const player = new Player(page);
    await player.playOut();
    await expect(page.locator('.final td.total')).toHaveCount(2);
    expect(player.done['claim']).toBeGreaterThan(5);
    await proveRecord(page, replay);
  });
}

test('a whole game with moves that are held, taken back and carried out', async ({ person, replay }) => {
  const page = await person({ viewport: sized(1280), settings: HELD, drawn: true });
  await playBots(page, 'portugal');
  await page.locator('[data-keep]').waitFor();
  await watchShifts(page);
  const player = new Player(page, { once: ['station', 'take'], back: ['keep', 'take', 'claim', 'station'] });
  await player.playOut();
  await expect(page.locator('.final td.total')).toHaveCount(2);
  await expectStill(page, '1280 px');
  for (const kind of ['keep', 'take', 'claim', 'station']) expect(player.done[`back ${kind}`], kind).toBe(1);
  // What was taken back has not happened: one station was paid for twice, and stands once.
  expect(player.done['station']).toBe(2);
  const record = readFileSync(await proveRecord(page, replay), 'utf8');
  expect(record.split('\n').filter((line) => line.includes('"event":"station","player":0'))).toHaveLength(1);
});
