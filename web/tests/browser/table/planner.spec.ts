/** The planner, what everyone may know, and the rules of the moment. */
import { expectAccessible, expectClear } from '../support/checks.ts';
import { Player, POLLING } from '../support/players/player.ts';
import { expect, playBots, sized, test } from '../support/test.ts';

test('the planner pins a way, says what is missing, and is bent; what everyone may know, and the rules of the moment', async ({
  person,
}) => {
  const page = await person({ viewport: sized(1440) });
  await playBots(page, 'europe');
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
  await player.ready();
  await page.locator('[data-tab=tickets]').click();
  if (!(await page.locator('[data-pin]').first().isVisible())) await page.locator('[data-tab=tickets]').click();
  const pin = page.locator('[data-pin]').first();
  await pin.click();
  const way = page.locator('.band.path');
  await expect(way.first()).toBeAttached();
  await expect(page.locator('[data-plan-missing]')).toBeVisible();
  const trains = async () => Number(await page.locator('[data-plan-trains]').getAttribute('data-plan-trains'));
  const cheapest = await trains();
  await expectClear(page, 'planner');
  await expectAccessible(page, 'planner');

  // Bent over other routes it is no cheaper; straightened, it is what it was.
  await page.locator('[data-bend]').click();
  for (const route of (await page.locator('[data-route]:not([data-owner])').all()).slice(0, 3))
    await route.dispatchEvent('click', { detail: 0 });
  await expect(page.locator('[data-straighten]')).toBeVisible();
  expect(await trains()).toBeGreaterThanOrEqual(cheapest);
  await page.locator('[data-straighten]').click();
  await expect.poll(trains).toBe(cheapest);
  await page.reload(); // it is kept
  await page.locator('[data-tab=tickets]').waitFor();
  if (!(await page.locator('[data-pin]').first().isVisible())) await page.locator('[data-tab=tickets]').click();
  await expect(page.locator('[data-pin][aria-pressed=true]')).toHaveCount(1);
  await page.waitForFunction(() => document.querySelector('.band.path') !== null, undefined, { polling: POLLING });

  while ((await player.press()) !== 'claim');
  await player.ready();
  await page.locator('[data-players]').click();
  await expect(page.locator('[data-facts] [data-count]').first()).toBeVisible();
  await expect(page.locator('[data-facts] .points')).toHaveText(['1', '2', '4', '7', '15', '21']);
  await expectClear(page, 'facts');
  await expectAccessible(page, 'facts');
  await page.keyboard.press('Escape');
  await page.locator('[data-rules]').click();
  await expect(page.locator('[data-rule="R4.1"]')).toBeVisible();
  await expectClear(page, 'rules of the moment');
  await expectAccessible(page, 'rules of the moment');
});
