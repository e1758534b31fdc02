/** Two browsers and a bot at one table: a reload, a dropped network and a server restart in the middle. */
import { fileURLToPath } from 'node:url';
import { Player } from './support/player.ts';
import { Wire } from './support/proxy.ts';
import { GameServer } from './support/server.ts';
import { expect, openPlayers, openTab, SMALL, test, type Page } from './support/test.ts';

const log = async (page: Page) => {
  await openTab(page, 'log');
  return page.locator('.tabpanel li').count();
};

test('two people and a bot, through thick and thin, to the same score', async ({ person }) => {
  const server = await new GameServer('--board', fileURLToPath(new URL('boards/portugal.json', import.meta.url))).start();
  const wire = new Wire(server.address);
  try {
    const ada = await person({ ...SMALL, quiet: true }, `${server.address}#new`);
    await ada.locator('[data-name]').fill('Ada');
    await ada.locator('[data-edition]').selectOption('portugal');
    await ada.locator('[data-add]').click();
    await ada.locator('[data-create]').click();
    const link = new URL(await ada.locator('.share input').inputValue());
    const bob = await person({ ...SMALL, quiet: true }, await wire.lay() + link.pathname.slice(1));
    await bob.locator('[data-name]').fill('Bob');
    await bob.locator('[data-sit]').click();

    const players = [new Player(ada), new Player(bob)];
    const waiting = new Map<Player, Promise<Player>>();
    /** Whoever can press something does, so many times, or until the game is over. */
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

    await play(12);
    const lines = await log(ada);
    await ada.reload();
    await expect.poll(() => log(ada)).toBeGreaterThanOrEqual(lines);

    await play(4);
    await openPlayers(ada);
    wire.cut();
    await expect(bob.locator('.lost')).toBeVisible();
    await expect(bob.locator('.lost')).toContainText('nothing is lost');
    await expect(ada.locator('.players')).toContainText('not connected');
    wire.mend();
    await expect(bob.locator('.lost')).toBeHidden();
    await expect(ada.locator('.players')).not.toContainText('not connected');

    await ada.locator('[data-players]').click();
    await play(4);
    await server.stop('SIGKILL');
    for (const page of [ada, bob]) await expect(page.locator('.lost')).toBeVisible();
    await server.start();
    for (const page of [ada, bob]) await expect(page.locator('.lost')).toBeHidden();

    expect(await play(1_000)).toBe(true);
    const totals = (page: Page) => page.locator('.final td.total').allTextContents();
    await expect(bob.locator('.final')).toBeVisible();
    await expect(ada.locator('.final')).toBeVisible();
    expect(await totals(ada)).toHaveLength(3);
    expect(await totals(ada)).toEqual(await totals(bob));

    await ada.locator('[data-rematch]').click();
    await expect(ada.locator('.share input')).toBeVisible(); // she waits for him
    await bob.locator('[data-rematch]').click();
    for (const page of [ada, bob]) await page.locator('[data-keep]').waitFor();
    expect(new URL(bob.url()).pathname).toBe(new URL(ada.url()).pathname);
  } finally {
    await wire.end();
    await server.end();
  }
});
