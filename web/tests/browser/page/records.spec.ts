/** All games as records: written to a file on one device, read on another, and proved there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { unzip, zip } from '../../../src/lib/zip.ts';
import { Player } from '../support/players/player.ts';
import { playBots } from '../support/test.ts';
import { expect, ready, test, visit, type Page } from './test.ts';

async function exported(page: Page): Promise<Buffer<ArrayBuffer>> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-export]').click()]);
  return Buffer.from(readFileSync(await download.path()));
}

/** Hand a file to the page, and return what it says when it has read it. */
async function imported(page: Page, file: Buffer): Promise<string> {
  const games = { name: 'games.zip', mimeType: 'application/zip', buffer: file };
  await page.locator('[data-import]').setInputFiles(games);
  const said = page.locator('[role=alert], [role=status] p').filter({ hasNotText: '…' }).first();
  await expect(page.locator('[data-import]')).toBeEnabled({ timeout: 120_000 });
  return said.innerText();
}

test('all games go out as records, and come back on another device with their films', async ({
  host,
  visitor,
  replay,
}, info) => {
  const page = await visit(await visitor(), host);
  await playBots(page, 'usa');
  await new Player(page).playOut();
  const [total] = await page.locator('.final td.total').allTextContents();
  await expect.poll(() => page.evaluate(() => localStorage['ferrovia.games'] ?? '')).toContain('table');
  await page.goto(`${host.address}#/games`);
  const figures = await page.locator('tr:has([data-statistics])').innerText();
  const file = await exported(page);
  const files = await unzip(new Blob([file]));
  const name = [...files.keys()].find((one) => one.endsWith('.jsonl'))!;
  const record = info.outputPath('record.jsonl');
  writeFileSync(record, await files.get(name)!.text());
  expect(await replay(record)).toContain(total);
  expect(await imported(page, file)).toBe('Added: 0. Here already: 1.');

  const other = await visit(await visitor(), host);
  await ready(other);
  await other.goto(`${host.address}#/games`);
  // Neither a file of another kind nor a record that the rules refuse gets in.
  expect(await imported(other, Buffer.from('no archive'))).toContain('not a file of exported games');
  const wrong = (await files.get(name)!.text()).replace('"locomotive"', '"red"');
  const forged = await zip(new Map([...files, [name, new Blob([wrong])]]));
  expect(await imported(other, Buffer.from(await forged.arrayBuffer()))).toBe('Added: 0. Here already: 0.');
  await expect(other.getByText('break the rules')).toBeVisible();
  await expect(other.locator('[data-game]')).toHaveCount(0);
  expect(await imported(other, file)).toBe('Added: 1. Here already: 0.');
  expect(await imported(other, file)).toBe('Added: 0. Here already: 1.');
  await expect(other.locator('[data-game]')).toHaveCount(1);
  expect(await other.locator('tr:has([data-statistics])').innerText()).toBe(figures);
  // What was brought here goes out again as it came.
  const again = await unzip(new Blob([await exported(other)]));
  expect(await again.get(name)!.text()).toBe(await files.get(name)!.text());
  await other.locator('[data-game]').click();
  await expect(other.locator('header .moment')).toHaveText('Set-up');
  await other.reload();
  await expect(other.locator('header .moment')).toHaveText('Set-up', { timeout: 60_000 });
});
