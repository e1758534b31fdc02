/** Coming back: after a reload, a dropped network, a closed tab and a killed server, alone or at a table of two people and a bot. */
import { expectAccessible } from './support/checks.ts';
import { Player } from './support/players/player.ts';
import { Wire } from './support/server/proxy.ts';
import { GameServer, PORTUGAL } from './support/server/server.ts';
import { expect, openPlayers, openTab, playBots, SMALL, test, type Page } from './support/test.ts';
import { Turns } from './support/players/turns.ts';

const PICTURES = process.env.PICTURES;

// One after the other, with one server to kill.
test.describe.configure({ mode: 'default' });
let server: GameServer;
test.beforeAll(async () => {
  server = await new GameServer('--board', PORTUGAL).start();
});
test.afterAll(() => server.end());

const log = async (page: Page) => {
  await openTab(page, 'log');
  return page.locator('.tabpanel li').count();
};

test('two people and a bot, through thick and thin, to the same score', async ({ person }) => {
  const wire = new Wire(server.address);
  try {
    const ada = await person({ ...SMALL, quiet: true }, `${server.address}#new`);
    await ada.locator('[data-name]').fill('Ada');
    await ada.locator('[data-edition=portugal]').check();
    await ada.locator('[data-add]').click();
    await ada.locator('[data-create]').click();
    const link = new URL(await ada.locator('.share input').inputValue());
    const bob = await person({ ...SMALL, quiet: true }, (await wire.lay()) + link.pathname.slice(1));
    await bob.locator('[data-name]').fill('Bob');
    await bob.locator('[data-sit]').click();
    await ada.locator('[data-begin]').click();

    const turns = new Turns([new Player(ada), new Player(bob)]);

    await turns.play(12);
    const lines = await log(ada);
    await ada.reload();
    await expect.poll(() => log(ada)).toBeGreaterThanOrEqual(lines);

    await turns.play(4);
    await openPlayers(ada);
    wire.cut();
    await expect(bob.locator('.lost')).toBeVisible();
    await expect(bob.locator('.lost')).toContainText('nothing is lost');
    await expect(ada.locator('.players')).toContainText('not connected');
    wire.mend();
    await expect(bob.locator('.lost')).toBeHidden();
    await expect(ada.locator('.players')).not.toContainText('not connected');

    await ada.locator('[data-players]').click();
    await turns.play(4);
    await server.stop('SIGKILL');
    for (const page of [ada, bob]) await expect(page.locator('.lost')).toBeVisible();
    await server.start();
    for (const page of [ada, bob]) await expect(page.locator('.lost')).toBeHidden();

    expect(await turns.play(1_000)).toBe(true);
    const totals = (page: Page) => page.locator('.final td.total').allTextContents();
    await expect(bob.locator('.final')).toBeVisible();
    await expect(ada.locator('.final')).toBeVisible();
    expect(await totals(ada)).toHaveLength(3);
    expect(await totals(ada)).toEqual(await totals(bob));

    await ada.locator('[data-rematch]').click();
    await expect(ada.locator('[data-seat-row]').first()).toBeVisible(); // she waits for him
    await bob.locator('[data-rematch]').click();
    for (const page of [ada, bob]) await page.locator('[data-keep]').waitFor();
    expect(new URL(bob.url()).pathname).toBe(new URL(ada.url()).pathname);
  } finally {
    await wire.end();
  }
});

test('a closed tab is found again from the start page, and a restarted server costs nothing', async ({ person }) => {
  const wire = new Wire(server.address);
  try {
    const address = await wire.lay();
    const page = await person({ quiet: true }, address);
    await playBots(page, 'portugal');
    await page.locator('[data-keep]').waitFor();
    const other = await page.context().newPage();
    await page.close();
    await other.goto(address);
    const mine = other.locator('[data-mine]');
    await expect(mine).toHaveAttribute('data-standing', 'move');
    await expect(other).toHaveTitle(/^● your turn at 1 table/);
    await expectAccessible(other, 'start page with tables');
    if (PICTURES) await other.screenshot({ path: `${PICTURES}/mine.png` });
    await mine.locator('.go').click();
    await other.locator('[data-keep]').waitFor();

    // How long it takes to be back, by the clock of this machine: for the eye, not for the test.
    const measure = async (what: string, until: () => Promise<void>) => {
      const began = Date.now();
      await until();
      const took = `${what}: back after ${Date.now() - began} ms`;
      test.info().annotations.push({ type: 'measured', description: took });
      console.log(took);
    };
    const back = async () => {
      await expect(other.locator('.lost')).toBeHidden();
      await expect(other.locator('[data-keep]')).toBeVisible();
    };
    await measure('reload', async () => {
      await other.reload();
      await back();
    });
    // A sleeping phone has lost its connections, and wakes up with the page in sight.
    wire.cut();
    await expect(other.locator('.lost')).toBeVisible();
    wire.mend();
    await measure('lost network', async () => {
      await other.evaluate(() => dispatchEvent(new Event('online')));
      await back();
    });
    wire.cut();
    await expect(other.locator('.lost')).toBeVisible();
    wire.mend();
    await measure('sleep', async () => {
      await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await back();
    });
    await server.stop('SIGKILL');
    await expect(other.locator('.lost')).toBeVisible();
    await server.start();
    await measure('restarted server', back);
  } finally {
    await wire.end();
  }
});
