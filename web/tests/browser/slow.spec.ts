/** A slow game over simulated days, to the end: notices, a webhook, a tab that is closed every evening, a turn that nobody took. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible, expectClear } from './support/checks.ts';
import { Player } from './support/players/player.ts';
import { GameServer, PORTUGAL } from './support/server/server.ts';
import { expect, openTab, sized, test, type Page } from './support/test.ts';

const PICTURES = process.env.PICTURES;
const EVENINGS = 4;

/** Runs in every page: notices are noted instead of shown, and a page can be made to think that nobody looks at it. */
function watched(): void {
  const shown: string[] = [];
  class Noted {
    static permission = 'granted';
    static requestPermission = () => Promise.resolve('granted');
    constructor(_title: string, { body }: { body: string }) {
      shown.push(body);
    }
    close() {}
  }
  Object.assign(globalThis, { Notification: Noted, shown, away: false });
  Object.defineProperty(document, 'hidden', { get: () => (globalThis as unknown as { away: boolean }).away });
}
const lookAway = (page: Page, away: boolean) =>
  page.evaluate((value) => {
    Object.assign(globalThis, { away: value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, away);
const notices = (page: Page) => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);

test('a game over days', async ({ person }) => {
  const folder = mkdtempSync(join(tmpdir(), 'ferrovia-days-'));
  const [clock, calls] = [join(folder, 'days'), join(folder, 'calls')];
  let day = 0;
  const sleep = (days: number) => {
    writeFileSync(`${clock}.new`, String((day += days)));
    renameSync(`${clock}.new`, clock); // the server never reads half of it
  };
  sleep(0);
  const called = () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').length : 0);
  const server = await new GameServer('--board', PORTUGAL, '--days', clock, '--webhooks', calls).start();
  try {
    const first = await person({ viewport: sized(360), quiet: true }, `${server.address}#new`);
    await first.context().addInitScript(watched);
    await first.reload();
    await first.locator('[data-name]').fill('Ada');
    await first.locator('[data-edition=portugal]').check();
    await first.locator('[data-clock]').selectOption('slow');
    await first.locator('[data-create]').click();
    const link = await first.locator('.share input').inputValue();
    const bob = await person({ quiet: true }, link);
    await bob.locator('[data-name]').fill('Bob');
    await bob.locator('[data-sit]').click();

    // The address of one's own that is called: what is none is refused, with the reason; then it is kept.
    await first.locator('[data-keep]').waitFor();
    await first.locator('header .menu').click();
    await first.locator('[data-webhook=seat]').fill('http://localhost/hook');
    await first.locator('[data-set-webhook=seat]').click();
    const said = first.locator('dialog form [role=status]').first();
    await expect(said).toContainText('https');
    await expectClear(first, 'webhook');
    await first.locator('[data-webhook=seat]').fill('https://example.org/hook');
    await first.locator('[data-set-webhook=seat]').click();
    await expect(said).toHaveText('The server will call it from now on.');
    await expectAccessible(first, 'webhook');
    if (PICTURES) await first.screenshot({ path: `${PICTURES}/webhook.png` });
    await first.locator('dialog [data-open-settings]').click();
    await first.locator('[data-notices-choice]').check();
    await first.keyboard.press('Escape');

    const bobs = new Player(bob);
    while ((await bobs.press()) !== 'keep');
    const early = new Player(first);
    while ((await early.press()) !== 'keep');
    await expect(first.locator('[data-keep]')).toHaveCount(0); // what was chosen is known, and so is whose turn it is
    // Somebody who has the page open and does not look is told by the browser.
    await expect
      .poll(async () => (await first.locator('header.mine').count()) + (await bob.locator('header.mine').count()))
      .toBe(1);
    if (await first.locator('header.mine').count()) await early.turn();
    await lookAway(first, true);
    const before = called();
    sleep(1);
    await bobs.turn();
    await expect.poll(() => notices(first)).toEqual(['Your turn: Portugal']);
    await expect.poll(called).toBe(before + 1);
    const context = first.context();
    await first.close();

    // In the evening the tab is closed; the next day the table is found on the start page.
    let over = false;
    let stays: Player | undefined;
    for (let evenings = 0; !over && evenings < 200; evenings += 1) {
      sleep(1);
      if (evenings >= EVENINGS) {
        // From here on the tab stays open: it is only a matter of days.
        over = (await stays!.turn()) || (await bobs.turn());
        continue;
      }
      const ada = await context.newPage();
      await ada.goto(server.address);
      const mine = ada.locator('[data-mine]');
      await expect(mine).toHaveAttribute('data-standing', 'move');
      if (evenings === 0) await expect(ada).toHaveTitle(/^● your turn at 1 table/);
      if (evenings === 0 && PICTURES) await ada.screenshot({ path: `${PICTURES}/slow-mine.png` });
      await mine.locator('.go').click();
      over = await new Player(ada).turn();
      if (evenings === 1) {
        // Bob is away for too long: one harmless decision is made for him, and the seat stays his.
        await openTab(ada, 'log');
        sleep(30);
        await expect(ada.locator('.tabpanel')).toContainText('Time is up for Bob: the most harmless move was made.');
        await expect(bob.locator('.tabpanel, .signal').first()).not.toContainText('a bot plays');
        if (!(await bob.locator('header.mine').count())) continue;
      }
      if (evenings === EVENINGS - 1) stays = new Player(ada);
      else await ada.close();
      if (over) break;
      const soFar = called();
      sleep(1);
      over = await bobs.turn();
      if (!over) await expect.poll(called).toBe(soFar + 1);
    }
    expect(over).toBe(true);
    expect(day).toBeGreaterThan(35);
    expect(readFileSync(calls, 'utf8').split('\n')[0]).toMatch(/^example\.org\/hook .*your turn/);
    const ada = await context.newPage();
    await ada.goto(server.address);
    await expect(ada.locator('[data-mine]')).toHaveAttribute('data-standing', 'over');
  } finally {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
