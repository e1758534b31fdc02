/** Settings in one place; a closed tab is found again from the start page; a restarted server costs nothing. */
import { expectAccessible, expectClear } from './support/checks.ts';
import { Wire } from './support/proxy.ts';
import { GameServer } from './support/server.ts';
import { expect, playBots, sized, test } from './support/test.ts';

const PICTURES = process.env.PICTURES;

test('settings are in one place, and hold for every page of this browser', async ({ person }) => {
  const page = await person({ viewport: sized(360), colorScheme: 'light' });
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.locator('[data-open-settings]').click();
  await page.locator('[data-theme-choice]').selectOption('light');
  await expect(root).toHaveAttribute('data-theme', 'light');
  await page.locator('[data-text-size]').selectOption('130');
  await page.locator('[data-symbols-choice]').uncheck();
  await expectAccessible(page, 'settings');
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/settings.png` });
  await page.keyboard.press('Escape');
  await playBots(page, 'usa');
  await page.locator('[data-keep]').waitFor();
  await expectClear(page, 'table with large text');
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/large-text.png` });
  expect(await page.locator('.card .symbol').first().isVisible()).toBe(false);
  await page.locator('header .menu').click();
  await page.locator('[data-open-about]').click();
  await expect(page.locator('[data-about] code').last()).toHaveText(/^[0-9a-f]{64}$/);
  await page.keyboard.press('Escape');
  await expect(page.locator('header .menu')).toBeFocused();
});

test('a closed tab is found again from the start page, and a restarted server costs nothing', async ({ person }) => {
  const server = await new GameServer().start();
  const wire = new Wire(server.address);
  try {
    const address = await wire.lay();
    const page = await person({ quiet: true }, address);
    await playBots(page, 'usa');
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
    await server.end();
  }
});
