/** What a table can do beside the game: hints, spectators, pause, stand-ins, clocks, packs, boards of one's own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectAccessible, expectClear } from '../support/checks.ts';
import { Player } from '../support/players/player.ts';
import { GameServer } from '../support/server/server.ts';
import { expect, openPlayers, openTab, playBots, SMALL, test, type Page } from '../support/test.ts';

const board = (name: string) => fileURLToPath(new URL(`../boards/${name}.json`, import.meta.url));
const mine = (page: Page) => page.locator('header.mine');
const command = async (page: Page, name: string) => {
  await page.locator('header .menu').click();
  await page.locator(`dialog [data-${name}]`).click();
};

type Sit = (options?: object, address?: string) => Promise<Page>;

/** Ada and Bob, each in a browser of their own, choosing their first tickets. */
async function choosing(person: Sit): Promise<{ ada: Page; bob: Page; link: string }> {
  const ada = await person();
  await ada.locator('[data-setup=new]').click();
  await ada.locator('[data-name]').fill('Ada');
  await ada.locator('[data-create]').click();
  const link = await ada.locator('.share input').inputValue();
  const bob = await person({}, link);
  await bob.locator('[data-name]').fill('Bob');
  await bob.locator('[data-sit]').click();
  await ada.locator('[data-first]').selectOption('0');
  await ada.locator('[data-begin]').click();
  return { ada, bob, link };
}

async function keepTickets(page: Page): Promise<void> {
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
}

test('a game by following the hints', async ({ person }) => {
  const page = await person();
  await playBots(page, 'europe');
  const player = new Player(page);
  for (let asked = 0; asked < 12; asked += 1) {
    await player.ready();
    await page.locator('[data-hint]').click();
    const hint = page.locator('[data-hinted]');
    await hint.waitFor();
    const action = (await hint.getAttribute('data-hinted'))!;
    const [verb, target] = action.split(' ');
    if (asked === 0) {
      expect(verb).toBe('keep');
      await expect(hint.locator('[data-why]')).toContainText('trains to go');
      await expectClear(page, 'hint');
      await expectAccessible(page, 'hint');
    }
    if (verb === 'keep') await expect(page.locator('.ticket.advised')).not.toHaveCount(0);
    if (verb === 'draw' || verb === 'take') await expect(page.locator('.slot.hinted')).not.toHaveCount(0);
    if (verb === 'claim') await expect(page.locator('.band.hint')).toBeAttached();
    if (verb === 'station') await expect(page.locator(`[data-city=${target}] .hint`)).toBeAttached();
    await page.locator('[data-follow]').click();
    await hint.waitFor({ state: 'detached' });
  }
  // A hint binds nobody: another choice is as good.
  await player.ready();
  await page.locator('[data-hint]').click();
  await page.locator('[data-hinted]').waitFor();
  await player.press();
  await expect(page.locator('[data-owner="0"]').first()).toBeAttached();
});

test('a live clock runs, and a bot plays when it has run out', async ({ person, server }) => {
  const page = await person();
  // One second a turn: less than the form lets people choose.
  const table = await page.evaluate(async () => {
    const seats = [
      { kind: 'person', name: 'Ada' },
      { kind: 'bot', bot: 'greedy' },
    ];
    const body = JSON.stringify({ edition: 'usa', seats, clock: { kind: 'live', turn: 1 }, stand_in: 'greedy' });
    const answer = await fetch('api/tables', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const founded = (await answer.json()) as { table: string; held: { token: string }[] };
    localStorage.setItem(`ferrovia.table.${founded.table}`, founded.held[0]!.token);
    return founded.table;
  });
  await page.goto(`${server.address}table/${table}`);
  await expect(page.locator('.final')).toBeVisible({ timeout: 60_000 });
  await openTab(page, 'log');
  await expect(page.locator('.tabpanel')).toContainText('Time is up for Ada');
  // It is read from its end, in a window of any size.
  const below = () =>
    page.locator('.tabpanel').evaluate((panel) => panel.scrollHeight - panel.clientHeight - panel.scrollTop);
  for (const size of [
    { width: 1040, height: 560 },
    { width: 1040, height: 800 },
    { width: 640, height: 500 },
  ]) {
    await page.setViewportSize(size);
    await expect.poll(below, { message: `${size.width} × ${size.height}` }).toBeLessThan(2);
  }
  // Also when what is offered at its end appears before it is known that it has scrolled there: nobody has scrolled back.
  await page.locator('.tabpanel').evaluate((panel: HTMLElement) => {
    panel.scrollTop -= 1;
    panel.style.paddingBottom = '90px';
  });
  await expect.poll(below).toBeLessThan(2);
  await page.locator('.tabpanel').evaluate(async (panel) => {
    panel.scrollTo(0, 20);
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame); // it is known that somebody has scrolled
  });
  await page.setViewportSize({ width: 640, height: 540 });
  await expect.poll(() => page.locator('.tabpanel').evaluate((panel) => panel.scrollTop)).toBeLessThan(60); // what is read stays
});

test('what somebody is choosing stays chosen; pause and go on; who leaves is replaced by a bot and can come back', async ({
  person,
}) => {
  const { ada, bob } = await choosing(person);
  const ticket = bob.locator('.dock .ticket').first();
  await ticket.click();
  await keepTickets(ada);
  await expect(bob.locator('.table [role=log]').first()).toContainText('Ada chose the first tickets');
  await expect(ticket).toHaveAttribute('aria-pressed', 'true');
  await keepTickets(bob);
  await mine(ada).waitFor();

  await command(ada, 'pause');
  for (const page of [ada, bob]) await expect(page.locator('header')).toContainText('paused');
  await expect(mine(ada)).toHaveCount(0);
  await expectClear(bob, 'paused');
  await expectAccessible(bob, 'paused', 'panels');
  await bob.locator('[data-go-on]').click(); // whoever looks at it can go on
  await mine(ada).waitFor();

  await openPlayers(bob);
  await command(ada, 'leave');
  await expect(bob.locator('.players')).toContainText('a bot plays');
  await mine(bob).waitFor(); // the bot has moved for her
  await expectClear(ada, 'away');
  await ada.locator('[data-return]').click();
  await expect(bob.locator('.players')).not.toContainText('a bot plays');

  await openPlayers(ada);
  const link = bob.url();
  await bob.goto('about:blank');
  await ada.locator('[data-replace]').click();
  await expect(ada.locator('.players')).toContainText('a bot plays');
  await mine(ada).waitFor();
  await bob.goto(link);
  await bob.locator('[data-return]').click();
  await expect(ada.locator('.players')).not.toContainText('a bot plays');
});

test('levels are for people to choose from, and seen at the table; a slow clock shows its days', async ({ person }) => {
  const page = await person();
  const level = page.locator('[data-level]');
  await expect(level.locator('optgroup').first().locator('option')).toHaveCount(7); // five, and two styles
  await expect(level).toHaveValue((await level.locator('option').nth(1).getAttribute('value'))!);
  await page.locator('[data-setup=new]').click();
  await page.locator('[data-seat="1"]').selectOption('conductor');
  await expect(page.locator('form')).toContainText('Goes straight for its tickets.');
  await page.locator('[data-clock]').selectOption('slow');
  await page.locator('[data-turn]').fill('3');
  await page.locator('[data-create]').click();
  await page.locator('[data-keep]').waitFor();
  await openPlayers(page);
  await expect(page.locator('.players')).toContainText('Conductor');
  await expect(page.locator('[role=timer]')).toHaveText(/[23] days/);
});

test('a route that cannot be claimed says why, once; a press is answered before the server has; settings are kept', async ({
  person,
}) => {
  const page = await person();
  await playBots(page, 'europe');
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
  await player.ready();
  const space = (await page.locator('[data-route=petrograd-stockholm] .space').nth(4).boundingBox())!; // eight spaces: too dear
  await page.mouse.move(space.x + space.width / 2, space.y + space.height / 2);
  const why = 'You need 8 cards of any one colour';
  await expect(page.locator('.caption')).toContainText(why);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.locator('.slip')).toContainText(why);
  await expect(page.locator('.caption')).toHaveCount(0);

  const shown = await page.evaluate(async () => {
    document.querySelector<HTMLElement>('[data-draw]')!.click();
    await new Promise(requestAnimationFrame); // the next picture
    const busy = document.querySelector('.table')!.getAttribute('aria-busy');
    const deck = document.querySelector('[data-draw]')!.getAttribute('aria-disabled');
    return { busy, deck, second: document.querySelector('header')!.textContent!.includes('second card') };
  });
  expect(shown.second || (shown.busy === 'true' && shown.deck === 'true')).toBe(true);

  const menu = page.locator('header .menu');
  await menu.click();
  await page.locator('[data-open-settings]').click();
  await page.locator('[data-pace]').selectOption('1500');
  await page.locator('dialog [data-language]').selectOption('es');
  await page.reload();
  await menu.click();
  await page.locator('[data-open-settings]').click();
  await expect(page.locator('[data-pace]')).toHaveValue('1500');
  await expect(page.locator('dialog [data-language]')).toHaveValue('es');
});

test('boards of one’s own, spectators, ticket packs, and passing, all of it under a path prefix', async ({
  person,
}) => {
  const server = new GameServer('--prefix', '/games/rail/', '--board', board('portugal'), '--board', board('stuck'));
  const portugal = JSON.parse(readFileSync(board('portugal'), 'utf8'));
  const namesake = join(server.folder, 'namesake.json');
  writeFileSync(
    namesake,
    JSON.stringify({ ...portugal, board: 'europe', edition: { ...portugal.edition, id: 'namesake' } }),
  );
  server.options.push('--board', namesake);
  mkdirSync(join(server.folder, 'packs'));
  const pack = {
    pack: 'max',
    board: 'europe',
    tickets: [{ a: 'london', b: 'kobenhavn', points: 8, long: false, mark: false }],
  };
  writeFileSync(join(server.folder, 'packs', 'max.json'), JSON.stringify(pack));
  await server.start();
  try {
    const page = await person({}, server.address);
    await playBots(page, 'portugal');
    await expect(page.locator('[data-city]')).toHaveCount(6);
    await expect(page.locator('[data-city] .plate')).toHaveCount(6); // the same drawing as ours
    await expectClear(page, 'a board of one’s own');
    await page.reload();
    await page.locator('[data-keep]').waitFor();
    expect(page.url()).toContain('/games/rail/table/');

    // A spectator sees what everybody may know, and everything at the end.
    const watcher = await person(SMALL, page.url());
    await watcher.locator('.table').waitFor();
    await openPlayers(watcher);
    await expect(watcher.locator('.players')).toContainText('Traveller');
    await watcher.locator('[data-players]').click();
    const traveller = new Player(page);
    while ((await traveller.press()) !== 'claim');
    await expect(watcher.locator('[data-route][data-owner="0"]').first()).toBeAttached();
    await expect(watcher.locator('[data-hand], .ticket, [data-keep], [data-hint], [data-mark]')).toHaveCount(0);
    await watcher.locator('[data-draw]').click({ force: true });
    await expect(watcher.locator('.slip')).toContainText('not your turn');
    await traveller.playOut();
    await expect(page.locator('.final td.total')).toHaveCount(2);
    await expect(watcher.locator('.final')).toBeVisible();
    await expect(watcher.locator('.final .ticket').first()).toBeVisible();
    await expect(watcher.locator('[data-rematch]')).toHaveCount(0);
    await watcher.context().close();

    await page.locator('.home').click();
    await playBots(page, 'namesake');
    await expect(page.locator('[data-city]')).toHaveCount(6); // not our map of Europe
    await page.locator('.home').click();
    await playBots(page, 'stuck');
    const player = new Player(page);
    await player.playOut(async () => {
      if (player.done['pass'] || !(await page.locator('[data-pass]').isVisible())) return false;
      await expectClear(page, 'pass');
      return true;
    });
    expect(player.done['pass']).toBeGreaterThan(0);

    const deck = async (pick: boolean) => {
      await page.goto(`${server.address}#new`);
      await page.locator('[data-edition=europe]').check();
      await page.locator('[data-seat="1"]').selectOption('greedy');
      if (pick) await page.locator('[data-pack=max]').check();
      await page.locator('[data-create]').click();
      await page.locator('[data-keep]').waitFor();
      return Number(await page.locator('[data-tickets] .count').textContent());
    };
    expect((await deck(true)) - (await deck(false))).toBe(1);
    await page.context().close();
  } finally {
    await server.end();
  }
});
