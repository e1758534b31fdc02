/** What a page keeps: a killed tab, a full quota, a newer version in the middle of a game. */
import { createHash } from 'node:crypto';
import type { Browser } from '@playwright/test';
import { Player } from '../support/players/player.ts';
import { playBots } from '../support/test.ts';
import { allKept, expect, ready, test, visit, type Page } from './test.ts';

/** What a table shows of the game when it awaits a decision. */
async function shown(page: Page): Promise<string[]> {
  await new Player(page).ready();
  return page.locator('[data-player], .hand [data-card]').allInnerTexts();
}

/** End the processes of all tabs, as the system does when memory runs out. */
async function killTabs(browser: Browser): Promise<void> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  for (const { id, type } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
}

test('a killed tab loses nothing that was shown', async ({ browser, host, visitor }) => {
  const context = await visitor();
  let page = await visit(context, host);
  await playBots(page, 'usa');
  for (let kills = 0; kills < 2; kills += 1) {
    const player = new Player(page);
    for (let presses = 0; presses < 2; presses += 1) await player.press();
    const before = await shown(page);
    const address = page.url();
    expect(before.length).toBeGreaterThan(1);
    await killTabs(browser);
    await page.close();
    page = await context.newPage();
    await page.goto(address);
    expect(await shown(page)).toEqual(before);
  }
});

test('a newer version in the middle of a game waits until it is wanted', async ({ host, visitor }) => {
  const context = await visitor();
  const page = await visit(context, host);
  await playBots(page, 'usa');
  const player = new Player(page);
  for (let presses = 0; presses < 2; presses += 1) await player.press();
  await ready(page);
  await allKept(page);
  const document = host.read('index.html').replace('<title>', '<meta name="newer" content="yes" /><title>');
  const digest = createHash('sha256').update(document).digest('hex');
  host.changed.set('index.html', document);
  host.changed.set('index.html.gz', null);
  host.changed.set(
    'service-worker.js',
    host.read('service-worker.js').replace(/"index.html": "[0-9a-f]{64}"/, `"index.html": "${digest}"`),
  );
  await page.reload();
  const before = await shown(page);
  await page.locator('[data-page-newer]').waitFor({ timeout: 120_000 });
  await expect(page.locator('meta[name=newer]')).toHaveCount(0);
  await page.locator('[data-page-newer] button').first().click();
  await expect(page.locator('meta[name=newer]')).toHaveCount(1);
  expect(await shown(page)).toEqual(before);
});
