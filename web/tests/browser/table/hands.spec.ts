/** Safe hands and clear events: holds, taking back, scenes, odds, facts, rules of the moment, the planner. */
import { expectAccessible, expectClear } from '../support/checks.ts';
import { measure, resize } from '../support/geometry.ts';
import { HELD, Player, POLLING } from '../support/player.ts';
import { Wire } from '../support/proxy.ts';
import { expect, playBots, sized, SMALL, test, type Page } from '../support/test.ts';

const phone = { viewport: sized(360), hasTouch: true, isMobile: true, drawn: true };
const bar = (page: Page) => page.locator('[data-hold]');
const hand = async (page: Page) => {
  const counts = await page.locator('[data-hand] .count').allTextContents();
  return counts.reduce((sum, count) => sum + Number(count), 0);
};
/** Lines of the log that tell of this player's decisions. */
const told = async (page: Page, text: string | RegExp) => page.locator('[role=log] p').filter({ hasText: text }).count();

/** Press until it is this player's turn to choose anything, tickets kept. */
async function begin(page: Page, touch = false): Promise<Player> {
  const player = new Player(page, {}, touch);
  while ((await player.press()) !== 'keep');
  await page.locator('[data-carry-out]').click();
  await page.locator('header.mine').waitFor();
  return player;
}

test('a card and a claim by mouse and keyboard: held, taken back, carried out by the next press', async ({ person }) => {
  const page = await person({ ...SMALL, settings: HELD });
  await playBots(page, 'usa');
  await begin(page);
  const before = await hand(page);
  const deck = Number(await page.locator('[data-draw] .count').textContent());

  await page.locator('[data-draw]').click();
  await expect(bar(page)).toHaveAttribute('data-hold', 'draw');
  await expect(page.locator('[data-draw] .count')).toHaveText(String(deck - 1)); // shown as done
  await expectClear(page, 'hold');
  await expectAccessible(page, 'hold');
  await page.locator('[data-take-back]').click();
  await expect(bar(page)).toHaveCount(0);
  await expect(page.locator('[data-draw] .count')).toHaveText(String(deck));
  expect(await hand(page)).toBe(before);

  // Two cards are two presses: the second carries the first out, and is held itself.
  await page.locator('[data-draw]').click();
  await bar(page).waitFor();
  await page.waitForTimeout(400); // longer than a bounce
  const open = page.locator('[data-take]:not([data-take=locomotive])').last();
  await expect(open).toHaveAttribute('aria-disabled', 'false'); // what can follow looks as if it could
  await expect(page.locator('[data-tickets]')).toHaveAttribute('aria-disabled', 'true');
  await open.click();
  await expect(bar(page)).toHaveAttribute('data-hold', /^take /);
  await expect.poll(() => told(page, 'drew from the deck')).toBeGreaterThan(0);
  await page.locator('[data-carry-out]').click();
  await expect(bar(page)).toHaveCount(0);
  await expect.poll(() => hand(page)).toBe(before + 2);

  // By keyboard Enter holds, Escape takes back, Enter again carries out.
  await page.locator('header.mine').waitFor();
  await expect(page.locator('[data-draw]')).toHaveAttribute('aria-disabled', 'false');
  const drawn = await told(page, 'drew from the deck');
  await page.locator('[data-draw]').focus();
  await page.keyboard.press('Enter');
  await expect(bar(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(bar(page)).toBeVisible();
  await page.waitForTimeout(400);
  await page.keyboard.press('Enter');
  await expect(bar(page)).toHaveCount(0);
  await expect.poll(() => told(page, 'drew from the deck')).toBe(drawn + 1);
  expect(await page.evaluate(() => document.activeElement?.matches('[data-draw]'))).toBe(true);

  // A claim: trains stand on the route before anybody hears of it, and are gone again.
  const player = new Player(page);
  const watcher = await person(SMALL, page.url());
  await watcher.locator('.table').waitFor();
  for (let what = ''; what !== 'claim'; ) {
    what = await player.press();
    if (what === 'draw' || what === 'take') await page.locator('[data-carry-out]').click();
  }
  const route = (await bar(page).getAttribute('data-hold'))!.split(' ')[1]!;
  const mine = page.locator(`[data-route="${route}"][data-owner="0"]`);
  await expect(mine).toBeAttached();
  await expect(watcher.locator(`[data-route="${route}"]`)).not.toHaveAttribute('data-owner', '0');
  await page.keyboard.press('Escape');
  await expect(mine).toHaveCount(0);
  await expect(page.locator('[data-payment=route]')).toBeVisible(); // where it was chosen
  await page.locator('.dock [data-pay]').first().click();
  await expect(mine).toBeAttached();
  await page.locator('[data-carry-out]').click();
  await expect(watcher.locator(`[data-route="${route}"][data-owner="0"]`)).toBeAttached();
});

test('by touch: held for three seconds, then sent by itself', async ({ person }) => {
  const page = await person({ ...phone, settings: HELD });
  await playBots(page, 'usa');
  await begin(page, true);
  await page.locator('[data-draw]').tap();
  await expect(bar(page)).toBeVisible();
  await expectClear(page, 'hold on a phone');
  await page.locator('[data-take-back]').tap();
  await expect(bar(page)).toHaveCount(0);
  await page.evaluate(() => (localStorage['ferrovia.hold'] = 'auto'));
  await page.locator('[data-draw]').tap();
  const time = await page.locator('[data-hold] .left').evaluate((ring) => (ring as SVGElement).style.getPropertyValue('--time'));
  expect(time).toBe('3000ms');
  await expect(bar(page)).toHaveCount(0); // its time is over
  await expect.poll(() => told(page, 'drew from the deck')).toBe(1);
});

test('without a connection a move waits where it is seen, and can be taken back', async ({ person, server }) => {
  const wire = new Wire(server.address);
  const page = await person({ ...SMALL, quiet: true, settings: HELD }, await wire.lay());
  try {
    await playBots(page, 'usa');
    await begin(page);
    await expectClear(page, 'turn'); // all languages are there now: without a network none can be fetched
    wire.cut();
    await expect(page.locator('.lost')).toBeVisible();
    await page.locator('[data-draw]').click();
    await expect(page.locator('[data-waiting]')).toBeVisible();
    await expectClear(page, 'waiting for the connection');
    await page.locator('[data-take-back]').click();
    await page.locator('[data-draw]').click();
    await expect(page.locator('[data-waiting]')).toBeVisible();
    wire.mend();
    await expect(page.locator('[data-carry-out]')).toBeVisible({ timeout: 20_000 }); // not sent silently: its time runs
    await page.locator('[data-take-back]').click();
    await expect(bar(page)).toHaveCount(0);
    expect(await told(page, 'drew from the deck')).toBe(0);
  } finally {
    await page.context().close();
    await wire.end();
  }
});

test('in practice everything is taken back, and the record says so', async ({ person }) => {
  const page = await person(SMALL);
  await page.locator('[data-practice-choice]').check();
  await playBots(page, 'usa');
  await expect(page.locator('[data-practice]')).toBeVisible();
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
  const before = await hand(page);
  await page.locator('[data-draw]').click();
  await expect.poll(() => hand(page)).toBe(before + 1);
  // What the mouse points at is said beside the way back, not over it.
  await page.locator('[data-undo]').waitFor();
  await page.locator('[data-route] .space').first().hover({ force: true });
  const [said, back] = await Promise.all([page.locator('.caption'), page.locator('[data-undo]')].map((one) => one.boundingBox()));
  expect(said!.y + said!.height).toBeLessThanOrEqual(back!.y);
  const usual = page.viewportSize()!;
  await resize(page, sized(360));
  expect((await page.evaluate(measure)).covered, 'taking back hides no city of a small map').toEqual([]);
  await resize(page, usual);
  await page.locator('[data-undo]').click();
  await expect.poll(() => hand(page)).toBe(before);
  await page.locator('[data-undo]').click();
  await expect(page.locator('[data-keep]')).toBeVisible(); // the choice of tickets as well
  await expect.poll(() => told(page, 'took a move back')).toBe(2);
  const header = await page.evaluate(async () => {
    const id = location.pathname.split('/').pop()!;
    const token = localStorage.getItem(`ferrovia.table.${id}`);
    const answer = await fetch(`../api/tables/${id}/record`, { headers: { authorization: `Bearer ${token}` } });
    return JSON.parse((await answer.text()).split('\n')[0]!) as { practice?: boolean };
  });
  expect(header.practice).toBe(true);
});

test('at a table of people the others are asked', async ({ person }) => {
  const ada = await person(SMALL);
  await ada.locator('[data-setup]').click();
  await ada.locator('[data-edition]').selectOption('usa');
  await ada.locator('[data-name]').fill('Ada');
  await ada.locator('[data-first]').selectOption('0');
  await ada.locator('[data-create]').click();
  const link = await ada.locator('.share input').inputValue();
  const bob = await person(SMALL, link);
  await bob.locator('[data-name]').fill('Bob');
  await bob.locator('[data-sit]').click();
  const [first, second] = [new Player(ada), new Player(bob)];
  for (const player of [first, second]) while ((await player.press()) !== 'keep');
  // Draw until Ada can claim; Bob draws too.
  for (let claimed = false; !claimed; ) {
    for (let what = ''; what !== 'draw' && !claimed; ) {
      what = await first.press();
      claimed = what === 'claim';
    }
    if (claimed) break;
    await first.press();
    while ((await second.press()) !== 'draw');
    await second.press();
  }
  await ada.locator('[data-undo]').click();
  await expect(bob.locator('[data-undo-asked]')).toContainText('Ada');
  await expectClear(bob, 'asked to undo');
  await expectAccessible(bob, 'asked to undo');
  // A move of Bob's that is held leaves the question in sight.
  await bob.evaluate(() => (localStorage['ferrovia.hold'] = '60000'));
  await bob.locator('[data-draw]').click();
  await bob.locator('[data-take-back]').waitFor();
  await expectClear(bob, 'asked to undo while a move is held');
  await bob.locator('[data-take-back]').click();
  await bob.locator('[data-undo-agree]').click();
  await expect(ada.locator('[data-owner="0"]')).toHaveCount(0);
  await expect(ada.locator('header.mine')).toBeVisible();
  await expect.poll(() => told(bob, 'Ada took a move back')).toBe(1);
});

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
      if (x > over.left && x < over.right && y > over.top && y < over.bottom) (globalThis as unknown as { hidden: number }).hidden += 1;
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
  for (let scenes = 0; scenes < 1; ) {
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
  await expect.poll(() => page.evaluate(() => (globalThis as unknown as { notes: string[] }).notes.join(', '))).toMatch(/^0, 1, 2, 3, 3 [0-3]/);
  expect(await page.evaluate(() => (globalThis as unknown as { hidden: number }).hidden), 'the tunnel is seen on the map').toBe(0);
  expect(sure).toBeGreaterThan(1_000); // all threes of the cards that nobody has seen
});

test('cards fly to whoever took them, and stay marked until my next turn; trains run onto their spaces', async ({ person }) => {
  const page = await person({ ...SMALL, drawn: true, reducedMotion: 'no-preference', settings: { hold: '0', pace: '800' } });
  await playBots(page, 'usa', 2);
  await page.evaluate(() => {
    const seen = ((globalThis as unknown as { flown: Set<string> }).flown = new Set<string>());
    new MutationObserver(() => {
      document.querySelectorAll('[data-flight]').forEach((one) => seen.add(one.getAttribute('data-flight')!));
      document.querySelectorAll('[data-arriving]').forEach((one) => seen.add(`train ${one.querySelectorAll('.carriage').length}`));
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

test('the planner pins a way, says what is missing, and is bent; what everyone may know, and the rules of the moment', async ({ person }) => {
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
  for (const route of (await page.locator('[data-route]:not([data-owner])').all()).slice(0, 3)) await route.dispatchEvent('click', { detail: 0 });
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
