/** The game in a page, without a server: from a host of plain files, then without a network. */
import { readFileSync } from 'node:fs';
import { proveRecord } from '../support/checks.ts';
import { Player } from '../support/players/player.ts';
import { playBots } from '../support/test.ts';
import { allKept, expect, ready, test, visit } from './test.ts';

test('a whole game against Director: a first visit, a reload, no network, and the record is proved', async ({
  host,
  visitor,
  replay,
}) => {
  const context = await visitor();
  const page = await visit(context, host);
  await playBots(page, 'europe', 1, 'director');
  const player = new Player(page);
  for (let presses = 0; presses < 12; presses += 1) await player.press();
  await ready(page);
  await allKept(page);
  await host.end();
  await page.reload();
  await player.playOut();
  await expect(page.locator('.final td.total')).toHaveCount(2);
  expect(player.done['claim']).toBeGreaterThan(5);
  const record = await proveRecord(page, replay);
  expect(readFileSync(record, 'utf8').split('\n', 1)[0]).toContain('"bot:director"');
});

test('two tabs have one server, and the second goes on when the first is closed', async ({ host, visitor }) => {
  const context = await visitor();
  const first = await visit(context, host);
  await playBots(first, 'usa');
  const player = new Player(first);
  for (let presses = 0; presses < 6; presses += 1) await player.press();
  const second = await visit(context, host);
  await ready(second);
  await second.goto(first.url());
  // The seat is where it was opened last, as on any server.
  await new Player(second).ready();
  await first.close();
  const later = new Player(second);
  for (let presses = 0; presses < 6; presses += 1) await later.press();
  expect(await second.locator('[data-page-problem]').count()).toBe(0);
});
