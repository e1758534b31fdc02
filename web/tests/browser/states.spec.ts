/** Every state of the table in windows of every shape, in four languages: by geometry, and by axe. */
import { expectAccessible, expectClear } from './support/checks.ts';
import { Player } from './support/player.ts';
import { expect, playBots, sized, test, type Page } from './support/test.ts';

/** Runs in the page: what is being decided there. */
function state(): string {
  const has = (selector: string) => document.querySelector(selector) !== null;
  if (has('.final')) return 'final scoring';
  if (has('[data-keep]')) return has('[data-offer=first]') ? 'first tickets' : 'tickets drawn';
  if (has('[data-withdraw]')) return 'tunnel';
  if (has('[data-payment=city]')) return 'paying for a station';
  if (has('[data-payment=route]')) return document.querySelectorAll('.dock [data-pay]').length > 1 ? 'payment, many ways' : 'payment, one way';
  if (has('[data-draw-tickets]')) return 'ticket draw';
  if (has('[data-site]')) return 'site of a station';
  if (has('.last-round')) return 'last round';
  return has('[data-route][data-open]') ? 'turn' : 'turn without a route';
}

const ALL = [
  'first tickets', 'turn', 'payment, many ways', 'payment, one way', 'tunnel', 'site of a station', 'paying for a station',
  'ticket draw', 'tickets drawn', 'last round', 'final scoring',
];

async function tabs(page: Page, where: string): Promise<void> {
  for (const tab of await page.locator('[data-tab]').all()) {
    if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
    await expectClear(page, `${where}, ${await tab.getAttribute('data-tab')}`);
  }
  await page.locator('[data-tab]').first().click();
}

/** Change the size of the window, and wait until everything has found its place. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize(sized(width));
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });
}

for (const [width, ...others] of [[360, 740], [768, 1024], [1440, 1280, 1920]] as const) {
  test(`every state of the table is in order at ${[width, ...others].join(' and ')} px`, async ({ person }) => {
    const page = await person({ viewport: sized(width) });
    await playBots(page, 'europe', 2);
    const seen = new Set<string>();
    const look = async () => {
      const now = await page.evaluate(state);
      if (seen.has(now)) return false;
      seen.add(now);
      await expectClear(page, now);
      await expectAccessible(page, now);
      for (const other of others) {
        await resize(page, other);
        await expectClear(page, `${now}, ${other} px`);
        await resize(page, width);
      }
      if (now === 'last round' || now === 'final scoring') await tabs(page, now);
      return true;
    };
    await new Player(page, { once: ['tunnel', 'station', 'tickets', 'list', 'take'] }).playOut(look);
    expect([...seen]).toEqual(expect.arrayContaining(ALL));

    await page.locator('.final .ticket').first().click();
    await page.locator('[data-longest]').click();
    await expect(page.locator('.band.path').first()).toBeAttached();
    await page.locator('header .menu').click();
    await expectClear(page, 'menu');
    await expectAccessible(page, 'menu');
  });
}
