/** What is played in front of everybody: a tunnel with its odds, cards that fly, trains that arrive. */
import { expectAccessible, expectClear } from '../support/checks.ts';
import { Player } from '../support/players/player.ts';
import { expect, playBots, SMALL, test } from '../support/test.ts';

/** Runs in the page: notes everything that a tunnel shows on stage, in its order, and whether it lies over the tunnel on the map. */
function noteScenes(): void {
  const notes: string[] = ((globalThis as unknown as { notes: string[] }).notes = []);
  Object.assign(globalThis, { hidden: 0 });
  new MutationObserver(() => {
    const scene = document.querySelector('[data-scene=tunnel]');
    if (!scene) return;
    const turned = scene.querySelectorAll('[data-turned]').length;
    const price = scene.querySelector('[data-verdict]')?.getAttribute('data-verdict') ?? '';
    const note = `${turned} ${price}`.trim();
    const [over, route] = [scene, document.querySelector('.band.chosen')].map((one) => one?.getBoundingClientRect());
    if (over && route) {
      const [x, y] = [(route.left + route.right) / 2, (route.top + route.bottom) / 2];
      if (x > over.left && x < over.right && y > over.top && y < over.bottom)
        (globalThis as unknown as { hidden: number }).hidden += 1;
    }
    if (notes.at(-1) !== note) notes.push(note);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}

test('a tunnel has odds before, and turns its cards up one by one, also when nothing is due', async ({ person }) => {
  const page = await person({ ...SMALL, settings: { hold: '0', pace: '800' } });
  await playBots(page, 'europe');
  await page.evaluate(noteScenes);
  const player = new Player(page, { once: ['tunnel'] });
  let sure = 0;
  for (let scenes = 0; scenes < 1;) {
    const aim = await player.ready();
    if (aim.what === 'claim' && (await page.locator('[data-odds]').count())) {
      const ways = (await page.locator('[data-odds]').first().getAttribute('data-odds'))!.split(' ').map(Number);
      sure = ways.reduce((sum, count) => sum + count, 0);
      await expectClear(page, 'odds of a tunnel');
      await expectAccessible(page, 'odds of a tunnel');
    }
    await player.press(sure ? undefined : aim);
    scenes = await page.evaluate(() => (globalThis as unknown as { notes: string[] }).notes.length);
    if (scenes) break;
  }
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as { notes: string[] }).notes.join(', ')))
    .toMatch(/^0, 1, 2, 3, 3 [0-3]/);
  expect(
    await page.evaluate(() => (globalThis as unknown as { hidden: number }).hidden),
    'the tunnel is seen on the map',
  ).toBe(0);
  expect(sure).toBeGreaterThan(1_000); // all threes of the cards that nobody has seen
});

test('cards fly to whoever took them, and stay marked until my next turn; trains run onto their spaces', async ({
  person,
}) => {
  const page = await person({
    ...SMALL,
    drawn: true,
    reducedMotion: 'no-preference',
    settings: { hold: '0', pace: '800' },
  });
  await playBots(page, 'usa', 2);
  await page.evaluate(() => {
    const seen = ((globalThis as unknown as { flown: Set<string> }).flown = new Set<string>());
    new MutationObserver(() => {
      document.querySelectorAll('[data-flight]').forEach((one) => seen.add(one.getAttribute('data-flight')!));
      document
        .querySelectorAll('[data-arriving]')
        .forEach((one) => seen.add(`train ${one.querySelectorAll('.carriage').length}`));
    }).observe(document.body, { subtree: true, childList: true });
  });
  const player = new Player(page, { once: ['take'] });
  const flown = () => page.evaluate(() => [...(globalThis as unknown as { flown: Set<string> }).flown]);
  while ((await player.press()) !== 'take');
  await player.press();
  await expect.poll(async () => (await flown()).includes('0')).toBe(true);
  await player.ready();
  await expect.poll(async () => (await flown()).some((seat) => seat !== '0'), { timeout: 60_000 }).toBe(true);
  await expect(page.locator('.chip [data-taken]').first()).toBeVisible();
  while (!(await flown()).some((one) => /^train [1-6]$/.test(one))) await player.press();
});
