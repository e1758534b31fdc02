/** A move before it is sent and after it: holds, taking it back, consent, practice, no connection. */
import { expectAccessible, expectClear } from '../support/checks.ts';
import { measure, resize } from '../support/geometry.ts';
import { HELD, Player } from '../support/players/player.ts';
import { Wire } from '../support/server/proxy.ts';
import { expect, playBots, sized, SMALL, test, type Page } from '../support/test.ts';

const phone = { viewport: sized(360), hasTouch: true, isMobile: true, drawn: true };
const bar = (page: Page) => page.locator('[data-hold]');
const hand = async (page: Page) => {
  const counts = await page.locator('[data-hand] .count').allTextContents();
  return counts.reduce((sum, count) => sum + Number(count), 0);
};
/** Lines of the log that tell of this player's decisions. */
const told = async (page: Page, text: string | RegExp) =>
  page.locator('[role=log] p').filter({ hasText: text }).count();

/** Press until it is this player's turn to choose anything, tickets kept. */
async function begin(page: Page, touch = false): Promise<Player> {
  const player = new Player(page, {}, touch);
  while ((await player.press()) !== 'keep');
  await page.locator('[data-carry-out]').click();
  await page.locator('header.mine').waitFor();
  return player;
}

test('a card and a claim by mouse and keyboard: held, taken back, carried out by the next press', async ({
  person,
}) => {
  const page = await person({ ...SMALL, settings: HELD });
  await playBots(page, 'usa');
  await begin(page);
  const before = await hand(page);
  const open = page.locator('[data-take]:not([data-take=locomotive])');

  await open.last().click();
  await expect(bar(page)).toHaveAttribute('data-hold', /^take /);
  expect(await hand(page)).toBe(before + 1); // shown as done
  await expect(page.locator('header.mine')).toContainText('take a second card, or take it back');
  await expectClear(page, 'hold');
  await expectAccessible(page, 'hold');
  await page.locator('[data-take-back]').click();
  await expect(bar(page)).toHaveCount(0);
  expect(await hand(page)).toBe(before);

  // Two cards are two presses: the second carries the first out. A card from the deck is nobody's choice: it is not held.
  await open.last().click();
  await bar(page).waitFor();
  await expect(open.first()).toHaveAttribute('aria-disabled', 'false'); // what can follow looks as if it could
  await expect(page.locator('[data-tickets]')).toHaveAttribute('aria-disabled', 'true');
  await page.locator('[data-draw]').click();
  await expect.poll(() => told(page, 'drew from the deck')).toBe(1);
  await expect(bar(page)).toHaveCount(0);
  await expect.poll(() => hand(page)).toBe(before + 2);

  // By keyboard Enter holds, Escape takes back, Enter again carries out.
  await page.locator('header.mine').waitFor();
  await expect(open.first()).toHaveAttribute('aria-disabled', 'false');
  await open.first().focus();
  await page.keyboard.press('Enter');
  await expect(bar(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(bar(page)).toBeVisible();
  await page.waitForTimeout(400); // longer than a bounce
  await page.keyboard.press('Enter');
  await expect(bar(page)).toHaveCount(0);
  await expect.poll(() => hand(page)).toBe(before + 3);
  expect(await page.evaluate(() => document.activeElement?.matches('[data-take]'))).toBe(true);
  await page.locator('[data-draw]').click();

  // A claim: trains stand on the route before anybody hears of it, and are gone again.
  const player = new Player(page);
  const watcher = await person(SMALL, page.url());
  await watcher.locator('.table').waitFor();
  for (let what = ''; what !== 'claim';) {
    what = await player.press();
    if (what === 'take') await page.locator('[data-carry-out]').click();
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
  const card = page.locator('[data-take]').first();
  await card.tap();
  await expect(bar(page)).toBeVisible();
  await expectClear(page, 'hold on a phone');
  await page.locator('[data-take-back]').tap();
  await expect(bar(page)).toHaveCount(0);
  await page.evaluate(() => (localStorage['ferrovia.hold'] = 'auto'));
  await card.tap();
  const time = await page
    .locator('[data-hold] .left')
    .evaluate((ring) => (ring as SVGElement).style.getPropertyValue('--time'));
  expect(time).toBe('3000ms');
  await expect(bar(page)).toHaveCount(0); // its time is over
  await expect.poll(() => told(page, / took /)).toBe(1);
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
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
  await expect(page.locator('[data-practice]')).toBeVisible();
  const before = await hand(page);
  await page.locator('[data-draw]').click();
  await expect.poll(() => hand(page)).toBe(before + 1);
  // What the mouse points at is said beside the way back, not over it.
  await page.locator('[data-undo]').waitFor();
  await page.locator('[data-route] .space').first().hover({ force: true });
  const [said, back] = await Promise.all(
    [page.locator('.caption'), page.locator('[data-undo]')].map((one) => one.boundingBox()),
  );
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
  await ada.locator('[data-setup=new]').click();
  await ada.locator('[data-edition=usa]').check();
  await ada.locator('[data-name]').fill('Ada');
  await ada.locator('[data-create]').click();
  const link = await ada.locator('.share input').inputValue();
  const bob = await person(SMALL, link);
  await bob.locator('[data-name]').fill('Bob');
  await bob.locator('[data-sit]').click();
  await ada.locator('[data-first]').selectOption('0');
  await ada.locator('[data-begin]').click();
  const [first, second] = [new Player(ada), new Player(bob)];
  for (const player of [first, second]) while ((await player.press()) !== 'keep');
  // Draw until Ada can claim; Bob draws too.
  for (let claimed = false; !claimed;) {
    for (let what = ''; what !== 'draw' && !claimed;) {
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
  await bob.locator('[data-take]').first().click();
  await bob.locator('[data-take-back]').waitFor();
  await expectClear(bob, 'asked to undo while a move is held');
  await bob.locator('[data-take-back]').click();
  await bob.locator('[data-undo-agree]').click();
  await expect(ada.locator('[data-owner="0"]')).toHaveCount(0);
  await expect(ada.locator('header.mine')).toBeVisible();
  await expect.poll(() => told(bob, 'Ada took a move back')).toBe(1);
});
