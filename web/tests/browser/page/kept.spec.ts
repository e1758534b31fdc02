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

/** Runs in every page: tells the number of the last state that the page has heard. */
function listening(): void {
  if (location.protocol === 'about:') return;
  const channel = new BroadcastChannel(`ferrovia ${location.pathname}`);
  channel.onmessage = ({ data }: MessageEvent<{ kind: string; text: string }>) => {
    const { type, number } = data.kind === 'said' ? (JSON.parse(data.text) as { type: string; number: number }) : {};
    if (type === 'state') void (globalThis as unknown as { told: (it: number) => void }).told(number!);
  };
}

test('a tab that is killed at any moment loses nothing that was shown', async ({ browser, host, visitor }) => {
  const context = await visitor();
  const told: number[] = [];
  await context.exposeFunction('told', (number: number) => told.push(number));
  await context.addInitScript(listening);
  let page = await visit(context, host);
  await playBots(page, 'usa');
  for (let kills = 0; kills < 4; kills += 1) {
    const player = new Player(page);
    for (let presses = 0; presses < 3; presses += 1) await player.press();
    const before = kills === 0 ? await shown(page) : null; // once at rest, else while bots and the storage are at work
    await page.waitForTimeout(before ? 0 : Math.random() * 300);
    const address = page.url();
    await killTabs(browser);
    await page.close();
    const last = told.splice(0).at(-1)!;
    page = await context.newPage();
    await page.goto(address);
    const after = await shown(page);
    if (before) expect(after).toEqual(before);
    expect(Math.max(...told), `after ${last}`).toBeGreaterThanOrEqual(last);
  }
});

test('where the browser has no room, a decision is refused with that reason, and nothing is lost', async ({
  host,
  visitor,
}) => {
  const context = await visitor();
  const page = await visit(context, host);
  await playBots(page, 'usa');
  const player = new Player(page);
  for (let presses = 0; presses < 4; presses += 1) await player.press();
  const before = await shown(page);
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(host.address);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  await page.reload(); // a file that is open has room for a while
  await player.press();
  await expect(page.getByText('no room left').first()).toBeVisible();
  expect(await shown(page)).toEqual(before);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  await page.reload();
  expect(await shown(page)).toEqual(before);
  for (let presses = 0; presses < 3; presses += 1) await player.press();
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
