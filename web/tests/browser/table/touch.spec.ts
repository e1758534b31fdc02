/** Fingers on the map: tap, drag, pinch; and a game on a phone by taps alone. */
import { proveRecord } from '../support/checks.ts';
import { HELD, Player } from '../support/players/player.ts';
import { expectStill, watchShifts } from '../support/shifts.ts';
import { expect, playBots, sized, test, type Page } from '../support/test.ts';

const phone = { viewport: sized(360), hasTouch: true, isMobile: true, drawn: true };
type Point = { x: number; y: number };

/** Fingers that go down, move in steps, and are lifted. */
async function fingers(page: Page, from: readonly Point[], to: readonly Point[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const between = (part: number) =>
    from.map((at, finger) => ({
      x: at.x + (to[finger]!.x - at.x) * part,
      y: at.y + (to[finger]!.y - at.y) * part,
      id: finger,
    }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: between(0) });
  for (let step = 1; step <= 8; step += 1) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: between(step / 8) });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}

/** How large a city is drawn, and where. */
const place = (page: Page, city: string) =>
  page.locator(`[data-city=${city}] .dot`).evaluate((dot) => {
    const { x, y, width } = dot.getBoundingClientRect();
    return { x: x + width / 2, y: y + width / 2, width };
  });
const distance = async (page: Page, a: string, b: string) => {
  const [one, other] = [await place(page, a), await place(page, b)];
  return Math.hypot(one.x - other.x, one.y - other.y);
};

/** A phone on which it is this person's turn for the first time. */
async function begun(
  person: (options?: object) => Promise<Page>,
  edition: string,
  viewport: object = {},
): Promise<{ page: Page; player: Player }> {
  const page = await person({ ...phone, ...viewport });
  await playBots(page, edition);
  const player = new Player(page, {}, true);
  while ((await player.press()) !== 'keep');
  await player.ready();
  return { page, player };
}

test('pinch, drag and tap on the map; two taps at one place on the buttons zoom in twice', async ({ person }) => {
  const { page } = await begun(person, 'europe');
  const { x, y } = await place(page, 'wien'); // the middle of the map; panels lie on the rest of the page
  const middle = { x, y: y + 4 };
  const before = await distance(page, 'paris', 'wien');

  await fingers(
    page,
    [
      { x: middle.x - 20, y: middle.y },
      { x: middle.x + 20, y: middle.y },
    ],
    [
      { x: middle.x - 80, y: middle.y },
      { x: middle.x + 80, y: middle.y },
    ],
  );
  await expect.poll(() => distance(page, 'paris', 'wien')).toBeGreaterThan(before * 2.5);

  const was = await place(page, 'wien');
  await fingers(page, [middle], [{ x: middle.x + 60, y: middle.y + 30 }]);
  await expect.poll(async () => (await place(page, 'wien')).x - was.x).toBeGreaterThan(40);
  expect(await page.evaluate(() => scrollX + scrollY)).toBe(0);

  const city = await place(page, 'wien');
  await page.touchscreen.tap(city.x, city.y);
  await expect(page.locator('.slip, [data-payment=city]')).toContainText('Wien');

  await page.locator('.buttons button').last().tap();
  await expect.poll(() => distance(page, 'paris', 'wien')).toBeLessThan(before * 1.05);

  // Nothing moves under the finger.
  const closer = (await page.locator('.buttons button').first().boundingBox())!;
  for (const times of [1, 2]) {
    await page.touchscreen.tap(closer.x + closer.width / 2, closer.y + closer.height / 2);
    await expect.poll(() => distance(page, 'paris', 'wien')).toBeGreaterThan(before * 1.45 ** times);
  }

  // Keys: whole, closer, moved, further.
  await page.locator('.window').focus();
  await page.keyboard.press('0');
  await expect.poll(() => distance(page, 'paris', 'wien')).toBeLessThan(before * 1.05);
  await page.keyboard.press('+');
  await expect.poll(() => distance(page, 'paris', 'wien')).toBeGreaterThan(before * 1.2);
  const stood = (await place(page, 'wien')).x;
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => stood - (await place(page, 'wien')).x).toBeGreaterThan(10);
  await page.keyboard.press('-');
  await expect.poll(() => distance(page, 'paris', 'wien')).toBeLessThan(before * 1.05);
});

test('a whole game by taps on a phone, with moves that are held, taken back and carried out: europe-1912', async ({
  person,
  replay,
}) => {
  const page = await person({ ...phone, settings: HELD });
  await playBots(page, 'europe-1912', 2);
  await page.locator('[data-keep]').waitFor();
  await watchShifts(page);
  const player = new Player(page, { once: ['take', 'list'], back: ['keep', 'take', 'claim'] }, true);
  await player.playOut();
  await expect(page.locator('.final td.total')).toHaveCount(3);
  expect(player.done).toMatchObject({ list: 1, 'back keep': 1, 'back take': 1, 'back claim': 1 });
  await expectStill(page, 'upright phone');
  await proveRecord(page, replay);
});

test('a notice takes no taps; a whole game by taps on a phone laid down: big-cities', async ({ person, replay }) => {
  const { page } = await begun(person, 'big-cities', { viewport: { width: 740, height: 360 } });
  const space = (await page.locator('[data-route=petrograd-stockholm] .space').nth(4).boundingBox())!; // eight spaces: too dear
  await page.touchscreen.tap(space.x + space.width / 2, space.y + space.height / 2);
  await expect(page.locator('.slip')).toContainText('Stockholm');
  const under = await page.evaluate(() => {
    const box = document.querySelector('.slip span')!.getBoundingClientRect();
    return document.elementFromPoint(box.left + 4, (box.top + box.bottom) / 2)?.closest('.slip') ?? null;
  });
  expect(under).toBeNull(); // the map under it can be pressed

  await watchShifts(page);
  const player = new Player(page, { once: ['tickets', 'station', 'list'] }, true);
  await player.playOut();
  await expect(page.locator('.final td.total')).toHaveCount(2);
  expect(player.done).toMatchObject({ tickets: 1, list: 1, station: 1 });
  await expectStill(page, 'phone laid down');
  await proveRecord(page, replay);
});
