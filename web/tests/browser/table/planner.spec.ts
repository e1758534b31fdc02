/** The planner, what everyone may know, and the rules of the moment. */
import { expectAccessible, expectClear } from '../support/checks.ts';
import { Player, POLLING } from '../support/players/player.ts';
import { resize } from '../support/geometry.ts';
import { expect, openTab, playBots, sized, test, type Page } from '../support/test.ts';

/** The cities of a ticket that cannot be seen: something lies over them, or they are outside the window. */
const hidden = (page: Page, letter: string) =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll(`[data-mark~="${wanted}"]`)].flatMap((city) => {
        const { left, right, top, bottom } = city.querySelector('.dot')!.getBoundingClientRect();
        const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return over?.closest('main') ? [] : [city.getAttribute('data-city')];
      }),
    letter,
  );

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

test('what a panel speaks of is brought out from under it; on a phone the tickets have their routes, and the map is one press away', async ({
  person,
}) => {
  const page = await person({ viewport: sized(1024) });
  await playBots(page, 'europe');
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
  await player.ready();
  await openTab(page, 'tickets');
  const short = page.locator('[data-pin]').nth(1); // the long one may be as wide as the map
  const letter = (await short.locator('.letter').textContent())!.trim();
  await short.click();
  await expect(page.locator('.band.path').first()).toBeAttached();
  await expect.poll(() => hidden(page, letter)).toEqual([]);

  await resize(page, sized(360));
  for (const ticket of await page.locator('.tabpanel [data-ticket]').all())
    await expect(ticket.locator('[data-list-route]').first()).toBeAttached();
  await expectClear(page, 'routes by ticket');
  await expectAccessible(page, 'routes by ticket');
  for (const width of [360, 740]) {
    await resize(page, sized(width));
    await openTab(page, 'tickets');
    await page
      .locator('[data-ticket]', { has: page.locator('.letter', { hasText: letter }) })
      .locator('[data-cut]')
      .click();
    await expect(page.locator('.tabpanel')).toHaveCount(0);
    await expect.poll(() => hidden(page, letter), `${width} px`).toEqual([]);
  }
  await openTab(page, 'tickets');
  await page.locator('[data-where]').first().click();
  await expect(page.locator('.tabpanel')).toHaveCount(0);
  await openTab(page, 'tickets');
  await page.locator('[data-list-route]').first().click(); // as on the map: a question or the reason why not
  await expect(page.locator('[data-payment], .slip').first()).toBeVisible();
});
