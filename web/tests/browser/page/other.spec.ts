/** What a page can besides a game against bots: people on one device, films, an analysis, puzzles, tutorials. */
import { readFileSync } from 'node:fs';
import { proveRecord } from '../support/checks.ts';
import { Player } from '../support/players/player.ts';
import { playBots } from '../support/test.ts';
import { expect, ready, test, visit } from './test.ts';

test('a game, its film and its analysis; then its record, dropped on the page', async ({ host, visitor, replay }) => {
  const context = await visitor();
  const page = await visit(context, host);
  await playBots(page, 'usa');
  await new Player(page).playOut();
  const record = readFileSync(await proveRecord(page, replay));
  await page.locator('[data-film-link]').first().click();
  await page.locator('[data-tab=analysis]').click();
  await page.locator('[data-analyse]').click();
  await page.goto(`${host.address}#/replay`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'game.jsonl', mimeType: 'application/jsonl', buffer: record });
  await page.locator('[data-tab=analysis]').waitFor();
  await page.goBack();
  await page.locator('[data-tab=analysis]').click();
  // It was made in the background, while other things were looked at.
  await expect(page.locator('[data-result]')).toBeVisible({ timeout: 300_000 });
});

test('learning: a tutorial is opened, a puzzle is posed, the rules are read before the game is loaded', async ({
  host,
  visitor,
}) => {
  const context = await visitor();
  const page = await visit(context, host);
  await page.goto(`${host.address}#/rules/europe`);
  await expect(page.locator('main h1, main h2').first()).toBeVisible();
  await ready(page);
  await page.goto(`${host.address}#/learn`);
  await page.locator('[data-tutorial]').first().click();
  await page.locator('.table').waitFor();
  await page.goto(`${host.address}#/puzzles`);
  await page.locator('[data-choice], .choice, .board').first().waitFor();
});
