/** A table for the room: a screen and three phones, one of which sleeps and one of which loses its secret, to the end. */
import { fileURLToPath } from 'node:url';
import { expectAccessible } from './support/checks.ts';
import { Player } from './support/player.ts';
import { GameServer } from './support/server.ts';
import { expect, sized, test, type Page } from './support/test.ts';

const PICTURES = process.env.PICTURES;
const board = fileURLToPath(new URL('boards/portugal.json', import.meta.url));
const picture = async (page: Page, name: string) => {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/room-${name}.png` });
};
const menu = async (page: Page, name: string) => {
  await page.locator('header .menu').click();
  await page.locator(`dialog [data-${name}]`).click();
};

test('a screen and three phones', async ({ person }) => {
  const server = await new GameServer('--board', board).start();
  try {
    const screen = await person({ viewport: sized(1920), quiet: true }, server.address);
    await screen.locator('[data-edition]').selectOption({ label: 'Portugal' });
    await screen.locator('[data-setup-room]').click();
    await screen.locator('[data-create]').click();
    // The server of the tests answers this machine alone, and the screen says so.
    await expect(screen.locator('[data-door] .error')).toContainText('cannot reach');
    const code = await screen.locator('[data-code]').innerText();
    await expectAccessible(screen, 'the screen before the game');
    await picture(screen, 'screen-waiting');

    const phones: Page[] = [];
    const names = ['Ada', 'Bea', 'Zed'];
    for (const name of names) {
      const phone = await person({ viewport: sized(360), quiet: true, colorScheme: name === 'Bea' ? 'dark' : 'light' }, server.address);
      await phone.locator('[data-room-code]').fill(code.toLowerCase());
      await phone.locator('[data-find-room]').click();
      await phone.locator('[data-sit]').waitFor(); // the start page has a field for a name too
      await phone.locator('[data-name]').fill(name);
      phones.push(phone);
      if (name === 'Zed') break;
      await phone.locator('[data-sit]').click();
      await expect(screen.getByText(name, { exact: true })).toBeVisible();
    }
    const [ada, bea, zed] = phones as [Page, Page, Page];
    await expectAccessible(bea, 'a phone before the game');
    await picture(bea, 'phone-waiting');
    // Whoever sat down first keeps the door; the others cannot.
    await expect(bea.locator('[data-lock]')).toHaveCount(0);
    await ada.locator('[data-lock]').click();
    await expect(screen.locator('[data-locked]')).toBeVisible();
    await zed.locator('[data-sit]').click();
    await expect(zed.locator('.error')).toContainText('locked');
    await ada.locator('[data-lock]').click();
    await zed.reload();
    await zed.locator('[data-name]').fill('Zed');
    await zed.locator('[data-sit]').click(); // the last seat: the game begins by itself
    for (const phone of phones) await phone.locator('[data-keep]').waitFor();
    await screen.locator('.table').waitFor();
    await expect(screen.locator('[data-door]')).toHaveCount(0);
    expect(await screen.locator('.hand-panel').count()).toBe(0);

    const players = phones.map((phone) => new Player(phone));
    const waiting = new Map<Player, Promise<Player>>();
    const play = async (times: number): Promise<boolean> => {
      for (let pressed = 0; pressed < times; pressed += 1) {
        for (const player of players) {
          if (!waiting.has(player)) waiting.set(player, player.ready().then(() => player));
        }
        const next = await Promise.race(waiting.values());
        waiting.delete(next);
        if ((await next.press()) === 'over') return true;
      }
      return false;
    };
    await play(14);
    await picture(screen, 'screen');
    await picture(bea, 'phone');

    // A phone sleeps, and has its seat back at once.
    await ada.goto('about:blank');
    waiting.delete(players[0]!);
    await ada.goBack();
    await ada.locator('.hand-panel').waitFor();
    await menu(bea, 'pause');
    await expect(screen.locator('.signal')).toContainText('paused');
    await menu(ada, 'resume');
    await expect(screen.locator('.signal')).not.toContainText('paused');

    // Another loses its secret: the code is shown again, and somebody lets it in.
    await bea.evaluate(() => localStorage.clear());
    const link = bea.url();
    await bea.goto('about:blank');
    waiting.delete(players[1]!);
    await menu(ada, 'open-door');
    await expect(screen.locator('[data-code]')).toHaveText(code);
    await bea.goto(link);
    await bea.locator('[data-ask-seat="1"]').click();
    const word = await bea.locator('[data-word]').innerText();
    await expect(screen.locator(`[data-asking=${word}]`)).toBeVisible();
    await expect(screen.locator('[data-let-in]')).toHaveCount(0);
    await picture(screen, 'screen-asked');
    await picture(bea, 'phone-asks');
    await expectAccessible(bea, 'a phone that asks to be let in');
    await zed.locator(`[data-asking=${word}] [data-let-in]`).click();
    await bea.locator('.hand-panel').waitFor();
    await expect(screen.locator('[data-asking]')).toHaveCount(0);
    await menu(zed, 'open-door');
    await expect(screen.locator('[data-code]')).toHaveCount(0);

    // The screen is lost, and another takes its place.
    await screen.evaluate(() => localStorage.clear());
    await screen.reload();
    await screen.locator('[data-ask-screen]').click();
    await ada.locator('[data-let-in]').click();
    await screen.locator('.table').waitFor();

    expect(await play(1_000)).toBe(true);
    const totals = (page: Page) => page.locator('.final td.total').allTextContents();
    await expect(screen.locator('.final')).toBeVisible();
    expect(await totals(screen)).toHaveLength(3);
    await picture(screen, 'screen-end');
  } finally {
    await server.end();
  }
});
