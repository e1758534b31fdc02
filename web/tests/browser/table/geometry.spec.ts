/** The geometry of the table on the USA board, and of a map that is turned; that of Europe is measured in every state (states). */
import { expectClear } from '../support/checks.ts';
import { MapKept, measure, resize } from '../support/geometry.ts';
import { Player } from '../support/players/player.ts';
import { expect, openTab, playBots, SIZES, test } from '../support/test.ts';

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

  // On a tablet a panel lies over the map: what it hides can be dragged out from under it, and is at its place again afterwards.
  await resize(page, SIZES[3]);
  const before = await page.evaluate(measure);
  await openTab(page, 'log');
  const under = (await page.evaluate(measure)).covered;
  expect(under.length).toBeGreaterThan(0);
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(100, 200, { steps: 4 });
  await page.mouse.move(-200, -20, { steps: 4 });
  await page.mouse.up();
  const dragged = (await page.evaluate(measure)).covered;
  expect(under.filter((city) => dragged.includes(city))).toEqual([]);
  await page.locator('[data-tab=log]').click();
  await expect.poll(async () => (await page.evaluate(measure)).sheet).toEqual(before.sheet);

  // On a phone laid down a notice lies beside the panel that is read, and its button over none of it.
  await resize(page, SIZES[1]);
  await openTab(page, 'tickets');
  await page.locator('[data-route]:not([data-open])').first().dispatchEvent('click', { detail: 0 });
  await page.locator('.slip').waitFor();
  await expectClear(page, 'a notice beside a panel, 740 px');
  const [slip, panel] = await page.evaluate(() =>
    ['.slip', '.tabpanel'].map((one) => document.querySelector(one)!.getBoundingClientRect().toJSON() as DOMRect),
  );
  expect(slip!.right).toBeLessThanOrEqual(panel!.left + 1);
  await page.locator('[data-tab=tickets]').click();

  // Whatever it is about is seen beside it: routes of the north and of the south.
  for (const size of [SIZES[0], SIZES[1], SIZES[3]]) {
    await resize(page, size);
    for (const last of [false, true]) {
      const hidden = await page.evaluate(async (southern) => {
        const middle = (one: Element) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return { x: (left + right) / 2, y: (top + bottom) / 2 };
        };
        const all = [...document.querySelectorAll('[data-route]:not([data-open])')].sort(
          (one, other) => middle(one).y - middle(other).y,
        );
        const route = all.at(southern ? -1 : 0)!;
        route.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 }));
        await new Promise(requestAnimationFrame);
        const slip = document.querySelector('.slip')!.getBoundingClientRect();
        const { x, y } = middle(route);
        return x > slip.left && x < slip.right && y > slip.top && y < slip.bottom;
      }, last);
      expect(hidden, `a notice hides its route at ${size.width}`).toBe(false);
    }
  }
  await page.keyboard.press('Escape');
  await resize(page, SIZES[4]);

  // Panels are as high as what is in them.
  await openTab(page, 'tickets');
  const tickets = await page.locator('.tabpanel').evaluate((one) => ({
    rest: one.scrollHeight - one.clientHeight,
    below: innerHeight - one.getBoundingClientRect().bottom,
  }));
  expect(tickets.rest).toBeLessThanOrEqual(1);
  expect(tickets.below).toBeGreaterThan(40);
  while (!(await page.locator('[data-payment]').count())) await player.press();
  await page.locator('[data-players]').click();
  await look('payment and players');

  // Where it lies over the map, it keeps clear of the route that it is about.
  for (const size of [SIZES[1], SIZES[3]]) {
    await resize(page, size);
    const [route, dock] = await page.evaluate(() =>
      ['.band.chosen', '.dock'].map((one) => document.querySelector(one)!.getBoundingClientRect().toJSON() as DOMRect),
    );
    const [x, y] = [route!.left + route!.width / 2, route!.top + route!.height / 2];
    expect(
      x > dock!.left && x < dock!.right && y > dock!.top && y < dock!.bottom,
      `the route is under the question at ${size.width}`,
    ).toBe(false);
  }
  await resize(page, SIZES[4]);

  // Hand and display grow with the screen.
  const wide = async (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => one.getBoundingClientRect().width);
  const small = [await wide('[data-take] .card'), await wide('[data-hand] .card')];
  await resize(page, SIZES[6]);
  const large = [await wide('[data-take] .card'), await wide('[data-hand] .card')];
  expect(large[0]).toBeGreaterThan(small[0]! * 1.15);
  expect(large[1]).toBeGreaterThan(small[1]!);
  expect(Math.min(...large)).toBeGreaterThan(84);
});

test('an upright phone turns the map: larger, with upright names; straight on request, and remembered', async ({
  person,
}) => {
  const page = await person({ viewport: SIZES[0] });
  await playBots(page, 'europe');
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
  await player.ready();
  const turned = await page.evaluate(measure);
  expect(turned.share).toBeGreaterThan(40);
  expect(turned.names).toBe(47);
  expect(turned.covered).toEqual([]);
  const upright = await page
    .locator('text[data-name]')
    .evaluateAll((all) => all.every((one) => one.getBoundingClientRect().width > one.getBoundingClientRect().height));
  expect(upright).toBe(true);
  await page.locator('[data-turn]').click();
  await expect.poll(async () => (await page.evaluate(measure)).share).toBeLessThan(30);
  expect(turned.space / (await page.evaluate(measure)).space).toBeGreaterThan(1.25);
  await page.reload();
  await expect(page.locator('[data-turn]')).toHaveAttribute('aria-pressed', 'false');
});
