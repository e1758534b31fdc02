/** Every state of the table in windows of every shape, in four languages: by geometry, and by axe. Phones and tablets by night. */
import { expectAccessible, expectClear, proveRecord } from '../support/checks.ts';
import { MapKept, resize } from '../support/geometry.ts';
import { Player } from '../support/players/player.ts';
import { expect, playBots, sized, test, type Page } from '../support/test.ts';

/** Runs in the page: what is being decided there. */
function state(): string {
  const has = (selector: string) => document.querySelector(selector) !== null;
  if (has('.final')) return 'final scoring';
  if (has('[data-keep]')) return has('[data-offer=first]') ? 'first tickets' : 'tickets drawn';
  if (has('[data-withdraw]')) return 'tunnel';
  if (has('[data-payment=city]')) return 'paying for a station';
  if (has('[data-payment=route]'))
    return document.querySelectorAll('.dock [data-pay]').length > 1 ? 'payment, many ways' : 'payment, one way';
  if (has('[data-draw-tickets]')) return 'ticket draw';
  if (has('[data-site]')) return 'site of a station';
  if (has('.last-round')) return 'last round';
  return has('[data-route][data-open]') ? 'turn' : 'turn without a route';
}

const ALL = [
  'first tickets',
  'turn',
  'payment, many ways',
  'payment, one way',
  'tunnel',
  'site of a station',
  'paying for a station',
  'ticket draw',
  'tickets drawn',
  'last round',
  'final scoring',
];
/** States in which the map itself shows something new: axe looks at all of it, else at what lies on it. */
const ON_THE_MAP = ['first tickets', 'turn', 'site of a station', 'final scoring'];

/** Windows in the order in which they are looked at, and back again at the next state: to draw a map at another size takes longer than a move. */
const WINDOWS = [768, 360, 740, 1024, 1920, 1440, 1280];
const BY_NIGHT = [768, 360, 740, 1024];
const BY_AXE = [360, 768, 1440];
const WITH_TABS = [360, 740, 1440];

async function tabs(page: Page, where: string): Promise<void> {
  for (const tab of await page.locator('[data-tab]').all()) {
    if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
    await expectClear(page, `${where}, ${await tab.getAttribute('data-tab')}`);
  }
  await page.locator('[data-tab]').first().click();
}

test('every state of the table is in order in every window, in a whole game: europe', async ({ person, replay }) => {
  test.slow();
  const page = await person({ viewport: sized(WINDOWS[0]!), colorScheme: 'dark' });
  let current = WINDOWS[0]!;
  const open = async (width: number) => {
    if (width === current) return;
    current = width;
    await page.emulateMedia({ colorScheme: BY_NIGHT.includes(width) ? 'dark' : 'light' });
    await resize(page, sized(width));
  };
  await playBots(page, 'europe', 2);
  const seen = new Set<string>();
  const map = new MapKept(page, 47);
  let order = WINDOWS;
  const look = async () => {
    const now = await page.evaluate(state);
    if (seen.has(now)) return false;
    seen.add(now);
    if (now === 'turn') await page.keyboard.press('Escape'); // nothing is said any more, so that nothing covers a city
    for (const width of order) {
      await open(width);
      await expectClear(page, `${now}, ${width} px`, false); // axe and the game go on in another language
      if (BY_AXE.includes(width))
        await expectAccessible(page, `${now}, ${width} px`, ON_THE_MAP.includes(now) ? 'all' : 'panels');
      if (now !== 'final scoring') await map.expect(now, width);
    }
    for (const width of now === 'last round' || now === 'final scoring' ? WITH_TABS : []) {
      await open(width);
      await tabs(page, `${now}, ${width} px`);
    }
    order = order.toReversed();
    return true;
  };
  const player = new Player(page, { once: ['tunnel', 'station', 'tickets', 'list', 'take'] });
  await player.playOut(look);
  expect([...seen]).toEqual(expect.arrayContaining(ALL));
  await expect(page.locator('.final td.total')).toHaveCount(3);
  expect(player.done['claim']).toBeGreaterThan(5);
  await proveRecord(page, replay);

  for (const width of [360, 1440]) {
    await open(width);
    await page.locator('.final .ticket').first().click();
    await page.locator('[data-longest]').click();
    await expect(page.locator('.band.path').first()).toBeAttached();
    await page.locator('header .menu').click();
    await expectClear(page, `menu, ${width} px`);
    await expectAccessible(page, `menu, ${width} px`);
    await page.keyboard.press('Escape');
  }
});
