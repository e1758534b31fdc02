/** The geometry of the table: how much of the window the map has, that nothing moves it, and that everything has its name. */
import { Player } from './support/player.ts';
import { expect, playBots, SIZES, test, type Page } from './support/test.ts';

/** The least share of the window that the box around all names of cities covers, in hundredths; and the least size of a space, in pixels. */
const LEAST: Readonly<Record<number, { readonly share: number; readonly space: number }>> = {
  360: { share: 24, space: 6 }, 740: { share: 50, space: 8.5 }, 768: { share: 36, space: 12 }, 1024: { share: 55, space: 16 },
  1280: { share: 55, space: 16 }, 1440: { share: 65, space: 20 }, 1920: { share: 65, space: 26 },
};

/** Runs in the page: the box around all names, how many there are and of what size, a space, and where the map is. */
function measure() {
  const names = [...document.querySelectorAll('text[data-name]')].map((one) => one.getBoundingClientRect());
  const left = Math.min(...names.map((box) => box.left));
  const right = Math.max(...names.map((box) => box.right));
  const top = Math.min(...names.map((box) => box.top));
  const bottom = Math.max(...names.map((box) => box.bottom));
  const sheet = document.querySelector('.sheet')!.getBoundingClientRect();
  const round = (value: number) => Math.round(value * 10) / 10;
  const covered = [...document.querySelectorAll('[data-city] .dot')].filter((dot) => {
    const box = dot.getBoundingClientRect();
    return !document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)?.closest('main');
  });
  const scale = sheet.width / Number(document.querySelector('.pieces')!.getAttribute('viewBox')!.split(' ')[2]);
  return {
    share: (100 * (right - left) * (bottom - top)) / (innerWidth * innerHeight),
    names: names.length,
    letters: Math.min(...names.map((box) => box.height)),
    space: 23 * scale,
    sheet: [sheet.left, sheet.top, sheet.width, sheet.height].map(round),
    covered: covered.map((dot) => dot.closest('[data-city]')!.getAttribute('data-city')),
    outside: left < 0 || top < 0 || right > innerWidth || bottom > innerHeight,
  };
}

async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });
}

const cards = (page: Page) =>
  page.locator('[data-take]').evaluateAll((all) =>
    all.filter((one) => {
      const box = one.getBoundingClientRect();
      const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      return top !== null && one.contains(top);
    }).length,
  );

for (const edition of ['europe', 'usa']) {
  test(`the map has its room in every window, and no question moves it: ${edition}`, async ({ person }) => {
    const page = await person({ viewport: SIZES[0] });
    await playBots(page, edition, 3);
    const player = new Player(page);
    await player.ready();
    const cities = edition === 'europe' ? 47 : 36;
    const still = new Map<number, unknown>();
    const look = async (state: string) => {
      for (const size of SIZES) {
        await resize(page, size);
        const found = await page.evaluate(measure);
        const where = `${state}, ${size.width}×${size.height}`;
        expect.soft(found.share, `share, ${where}`).toBeGreaterThanOrEqual(LEAST[size.width]!.share);
        expect.soft(found.space, `space, ${where}`).toBeGreaterThanOrEqual(LEAST[size.width]!.space);
        expect.soft(found.names, `names, ${where}`).toBe(cities);
        expect.soft(found.letters, `letters, ${where}`).toBeGreaterThanOrEqual(9);
        expect.soft(found.outside, `inside, ${where}`).toBe(false);
        expect.soft(await cards(page), `face-up cards in sight, ${where}`).toBe(5);
        if (!still.has(size.width)) still.set(size.width, found.sheet);
        expect.soft(found.sheet, `the map stays, ${where}`).toEqual(still.get(size.width));
        if (state === 'turn') expect.soft(found.covered, `no city is covered, ${where}`).toEqual([]);
      }
    };
    await look('offer');
    while ((await player.press()) !== 'keep');
    await resize(page, { width: 1280, height: 720 });
    await player.ready();
    await expect(page.locator('.slip, .scene')).toHaveCount(0); // what happened at the table before this turn has been shown
    await look('turn');
    await page.locator('[data-tickets]').click();
    await look('ticket draw');
    await page.keyboard.press('Escape');
    await resize(page, { width: 1280, height: 720 });
    while (!(await page.locator('[data-payment]').count())) await player.press();
    await look('payment');
    await page.locator('[data-players]').click();
    await look('players');
  });
}

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
