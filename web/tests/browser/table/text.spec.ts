/** Text twice as large: by the setting, and by the zoom of the browser, which makes the window half as wide and high. */
import { expectClear } from '../support/checks.ts';
import { measure, resize } from '../support/geometry.ts';
import { Player } from '../support/players/player.ts';
import { expect, openTab, playBots, sized, test, type Page } from '../support/test.ts';

const PICTURES = process.env.PICTURES;
/** Sizes at which text is set twice as large: a phone both ways, a tablet, a laptop. */
const DOUBLED = [sized(360), sized(740), sized(768), sized(1280)];
/** What is left of windows that are zoomed to 200 %: a laptop's, a tablet's both ways, a large screen's. */
const ZOOMED = [
  { width: 640, height: 360 },
  { width: 384, height: 512 },
  { width: 512, height: 384 },
  { width: 960, height: 540 },
];

/** The map can be used: every city has its name, and it can be brought closer until its spaces are as large as a fingertip. */
async function expectUsable(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(measure);
  expect.soft(found.names, where).toBe(47);
  expect.soft(found.outside, where).toBe(false);
  expect.soft(found.share, where).toBeGreaterThan(12);
  expect.soft(found.covered, where).toEqual([]);
}

async function look(
  page: Page,
  state: string,
  sizes: readonly { width: number; height: number }[],
  map: boolean,
): Promise<void> {
  for (const size of sizes) {
    await resize(page, size);
    const where = `${state}, ${size.width} × ${size.height}`;
    await expectClear(page, where);
    if (map) await expectUsable(page, where);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/text-${state.replaceAll(' ', '-')}-${size.width}.png` });
  }
}

async function begun(page: Page): Promise<Player> {
  await playBots(page, 'europe', 2);
  return new Player(page);
}

test('text set twice as large', async ({ person }) => {
  const page = await person({ viewport: sized(768), settings: { hold: '0', pace: '0', text: '200' } });
  await look(page, 'doubled start', DOUBLED, false);
  await resize(page, sized(768));
  const player = await begun(page);
  await player.ready();
  await look(page, 'doubled offer', DOUBLED, false);
  await resize(page, sized(768));
  while ((await player.press()) !== 'keep');
  await player.ready();
  await expect(page.locator('.slip, .scene')).toHaveCount(0);
  await look(page, 'doubled turn', DOUBLED, true);
  await resize(page, sized(360));
  for (const tab of ['tickets', 'log', 'routes'] as const) {
    await openTab(page, tab);
    await look(page, `doubled ${tab}`, [sized(360)], false);
  }
});

test('a browser zoomed to 200 %', async ({ person }) => {
  const page = await person({ viewport: ZOOMED[0]!, deviceScaleFactor: 2 });
  await look(page, 'zoomed start', ZOOMED, false);
  const player = await begun(page);
  await player.ready();
  await look(page, 'zoomed offer', ZOOMED, false);
  await resize(page, ZOOMED[0]!);
  while ((await player.press()) !== 'keep');
  await player.ready();
  await expect(page.locator('.slip, .scene')).toHaveCount(0);
  await look(page, 'zoomed turn', ZOOMED, true);
});
