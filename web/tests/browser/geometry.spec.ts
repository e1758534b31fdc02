/** The geometry of the table on the USA board, and of a map that is turned; that of Europe is measured in every state (states). */
import { MapKept, measure, resize } from './support/geometry.ts';
import { Player } from './support/player.ts';
import { expect, playBots, SIZES, test } from './support/test.ts';

test('the map has its room in every window, and no question moves it: usa', async ({ person }) => {
  const page = await person({ viewport: SIZES[4] });
  await playBots(page, 'usa', 3);
  const player = new Player(page);
  const map = new MapKept(page, 36);
  await player.ready();
  const look = async (state: string) => {
    for (const size of SIZES) {
      await resize(page, size);
      await map.expect(state, size.width);
    }
    await resize(page, SIZES[4]);
  };
  await look('offer');
  while ((await player.press()) !== 'keep');
  await player.ready();
  await expect(page.locator('.slip, .scene')).toHaveCount(0); // what happened at the table before this turn has been shown
  await look('turn');
  while (!(await page.locator('[data-payment]').count())) await player.press();
  await page.locator('[data-players]').click();
  await look('payment and players');

  // Hand and display grow with the screen.
  const wide = async (selector: string) => page.locator(selector).first().evaluate((one) => one.getBoundingClientRect().width);
  const small = [await wide('[data-take] .card'), await wide('[data-hand] .card')];
  await resize(page, SIZES[6]);
  const large = [await wide('[data-take] .card'), await wide('[data-hand] .card')];
  expect(large[0]).toBeGreaterThan(small[0]! * 1.15);
  expect(large[1]).toBeGreaterThan(small[1]!);
  expect(Math.min(...large)).toBeGreaterThan(84);
});

test('on an upright phone the map can be turned: larger, with upright names, and remembered', async ({ person }) => {
  const page = await person({ viewport: SIZES[0] });
  await playBots(page, 'europe');
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
  await player.ready();
  const before = await page.evaluate(measure);
  await page.locator('[data-turn]').click();
  await expect.poll(async () => (await page.evaluate(measure)).share).toBeGreaterThan(40);
  const after = await page.evaluate(measure);
  expect(after.names).toBe(47);
  expect(after.space / before.space).toBeGreaterThan(1.25);
  expect(after.covered).toEqual([]);
  const upright = await page.locator('text[data-name]').evaluateAll((all) => all.every((one) => one.getBoundingClientRect().width > one.getBoundingClientRect().height));
  expect(upright).toBe(true);
  await page.reload();
  await expect(page.locator('[data-turn]')).toHaveAttribute('aria-pressed', 'true');
});
