/** What a page can besides a game against bots: people on one device, films, an analysis, puzzles, tutorials. */
import { readFileSync } from 'node:fs';
import { expectAccessible, LANGUAGES, proveRecord } from '../support/checks.ts';
import { notesOf, press, routeFor, wanted } from '../support/players/learner.ts';
import { Player, POLLING } from '../support/players/player.ts';
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

test('learning: the rules before the game is loaded, a tutorial to its end, a puzzle', async ({ host, visitor }) => {
  const context = await visitor();
  const page = await visit(context, host);
  await page.goto(`${host.address}#/rules/europe`);
  await expect(page.locator('main h1, main h2').first()).toBeVisible();
  await ready(page);
  await page.goto(`${host.address}#/learn`);
  const name = (await page.locator('[data-tutorial]').first().getAttribute('data-tutorial'))!;
  await page.locator('[data-tutorial]').first().click();
  const guide = page.locator('.guide');
  const { steps } = notesOf(name);
  for (const [at, step] of steps.entries()) {
    await expect(guide).toHaveAttribute('data-step', String(at));
    if (step.question) await press(page, `[data-answer="${step.question.right}"]`);
    for (let tries = 0; step.goal && tries < 400; tries += 1) {
      if ((await guide.getAttribute('data-outcome')) === 'met') break;
      const next = await page.evaluate(wanted, { does: step.goal.does, route: routeFor(step) });
      if (next) await press(page, next);
      await page.waitForTimeout(POLLING);
    }
    if (at < steps.length - 1) await press(page, '[data-next]');
  }
  await expect(page.locator('[data-first]')).toBeEnabled();
  await page.goto(`${host.address}#/puzzles`);
  await page.locator('[data-answer]').first().click();
  await expect(page.locator('.verdict')).toBeVisible();
});

test('three people on this device: told who could look, in all languages, saved and loaded', async ({
  host,
  visitor,
}) => {
  const context = await visitor();
  const page = await visit(context, host);
  await page.locator('[data-setup=here]').click();
  await expect(page.locator('[data-create]')).toBeVisible();
  for (const language of LANGUAGES) {
    await page.evaluate((chosen) => {
      localStorage['ferrovia.language'] = chosen;
      dispatchEvent(new StorageEvent('storage', { key: 'ferrovia.language' }));
    }, language);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expectAccessible(page, `setting up in a page, ${language}`);
  }
  await page.evaluate(() => {
    localStorage['ferrovia.language'] = 'en';
    dispatchEvent(new StorageEvent('storage', { key: 'ferrovia.language' }));
  });
  await expect(page.locator('[data-page-device]')).toContainText('could look');
  await page.locator('[data-edition=usa]').check();
  await page.locator('[data-name]').fill('Ada');
  await page.locator('[data-name-of="1"]').fill('Bea');
  await page.locator('[data-add]').click();
  await page.locator('[data-name-of="2"]').fill('Cem');
  await page.locator('[data-create]').click();
  const curtain = page.locator('[data-curtain]');
  const pass = page.locator('[data-pass-on]');
  const names: string[] = [];
  for (let turns = 0; turns < 5; turns += 1) {
    await curtain.waitFor();
    if (turns === 4) await page.reload();
    names.push(await page.locator('#curtain-title').innerText());
    await page.locator('[data-open-curtain]').dispatchEvent('click');
    await page.locator('[data-open-curtain]').dispatchEvent('click');
    await page.locator('.hand-panel').waitFor();
    const player = new Player(page);
    while (!(await pass.count())) {
      const next = player.ready().catch(() => null);
      const aim = await Promise.race([
        next,
        pass
          .first()
          .waitFor({ timeout: 120_000 })
          .then(() => null),
      ]);
      if (aim && aim.what !== 'over') await player.press(aim);
    }
    await page.locator('[data-close-curtain]').click();
  }
  const people = ['Ada', 'Bea', 'Cem'];
  const order = names.map((name) => people.findIndex((one) => name.includes(one)));
  expect(order.slice(0, 3)).toEqual([0, 1, 2]);
  expect(order[4], 'whoever begins, the next one follows after the reload').toBe((order[3]! + 1) % 3);
});

test('a board of one’s own is made of a region, tried by bots, played and found again', async ({ host, visitor }) => {
  const context = await visitor();
  const page = await visit(context, host);
  await ready(page);
  await page.goto(`${host.address}#/editor`);
  await page.locator('[data-editor-region] option[value=portugal]').waitFor({ state: 'attached' });
  await page.locator('[data-editor-region]').selectOption('portugal');
  await page.locator('[data-editor-size]').selectOption('small');
  await page.locator('[data-editor-make]').click();
  await page.locator('[data-editor-report]').waitFor({ timeout: 60_000 });
  await page.locator('[data-editor-playtest]').click();
  await expect(page.locator('[data-editor-trial]')).toContainText('1,000 games', { timeout: 180_000 });
  await page.locator('[data-editor-play]').click();
  await page.locator('.table').waitFor();
  const player = new Player(page);
  for (let presses = 0; presses < 3; presses += 1) await player.press();
  await page.reload();
  await new Player(page).press();
});
