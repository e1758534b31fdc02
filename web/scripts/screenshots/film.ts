/**
 * Pictures of every page around the film at five sizes, by day and night, on contact sheets in `look`, and the finale as a
 * series of frames: `npm run look:film`. `STATES="film share"` takes some of them, `TONGUE=ro` another language.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { notesOf, press, routeFor, wanted } from '../../tests/browser/support/players/learner.ts';
import { quickGame } from '../../tests/browser/support/players/quick_game.ts';
import { expect, SMALL, test, type Page } from '../../tests/browser/support/test.ts';

const folder = fileURLToPath(new URL('../../look/', import.meta.url));
const states = process.env['STATES']?.split(' ');
const language = process.env['TONGUE'] ?? 'en';
const wants = (...some: string[]) => !states || some.some((state) => states.includes(state));
const SIZES = [
  [360, 740],
  [768, 1024],
  [740, 360],
  [1280, 720],
  [1440, 900],
] as const;
const THEMES = ['light', 'dark'] as const;

type Picture = { readonly name: string; readonly width: number; readonly height: number; readonly data: string };

/** Put pictures side by side, in rows. */
async function sheet(page: Page, name: string, rows: Picture[][], scale = 1): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const body = rows
    .map(
      (row) =>
        `<div style="display:flex;gap:12px;align-items:start">${row.map((one) => `<figure style="margin:0"><figcaption style="font:14px sans-serif">${one.name}</figcaption><img style="display:block" width="${one.width * scale}" height="${one.height * scale}" src="data:image/png;base64,${one.data}"></figure>`).join('')}</div>`,
    )
    .join('');
  const wall = await page.context().browser()!.newPage();
  const across = Math.max(...rows.map((row) => row.reduce((sum, one) => sum + one.width * scale + 12, 0)));
  const down = rows.reduce((sum, row) => sum + 24 + Math.max(...row.map((one) => one.height * scale)), 0);
  await wall.setViewportSize({ width: Math.ceil(across), height: Math.ceil(down) });
  await wall.setContent(`<body style="margin:0;background:#777">${body}</body>`);
  await wall.screenshot({ path: `${folder}${name}.png` });
  await wall.close();
}

async function shoot(page: Page, state: string, each?: () => Promise<void>, name = state): Promise<void> {
  if (!wants(state)) return;
  const taken: Picture[] = [];
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.evaluate(async () => {
      for (let frame = 0; frame < 6; frame++) await new Promise(requestAnimationFrame);
    });
    await each?.();
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      taken.push({
        name: `${state} ${width}×${height} ${colorScheme}`,
        width,
        height,
        data: (await page.screenshot()).toString('base64'),
      });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await sheet(page, `film-${name}-small`, [taken.slice(0, 4), taken.slice(4, 6)]);
  await sheet(page, `film-${name}-large`, [taken.slice(6, 8), taken.slice(8)]);
}

const openTab = async (page: Page, name: string) => {
  const tab = page.locator(`[data-tab=${name}]`);
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
};
const at = (page: Page, hash: string) => page.evaluate((to) => (location.hash = to), hash);

test('the film and all that belongs to it', async ({ person, server }) => {
  const page = await person({ ...SMALL, locale: language, quiet: true });
  const game = await quickGame(page, 'europe', 2);
  await page.goto(`${server.address}table/${game.table}#token=${game.token}`);
  await page.locator('[data-film-link]').first().waitFor();
  if (wants('score')) await shoot(page, 'score');
  await page.locator('[data-film-link]').first().click();
  await page.locator('.moment').waitFor();
  await page.keyboard.press('End');
  for (let back = 0; back < 12; back += 1) await page.keyboard.press('ArrowLeft');
  for (const tab of ['log', 'players', 'chart']) {
    if (wants(`film-${tab}`)) await shoot(page, `film-${tab}`, () => openTab(page, tab));
  }
  await page.locator('[data-open=share]').click();
  await shoot(page, 'share');
  await page.keyboard.press('Escape');
  await page.locator('[data-open=fork]').click();
  await shoot(page, 'fork');
  await page.keyboard.press('Escape');
  if (wants('together')) {
    const bob = await person({ ...SMALL, locale: language }, `${server.address}#/replay/${game.table}`);
    await bob.locator('.moment').waitFor();
    await page.locator('[data-together=lead]').click(); // there as soon as somebody else is
    await shoot(page, 'together');
    await bob.locator('.together').waitFor();
    await shoot(bob, 'together', undefined, 'followed');
    await page.locator('[data-together=stop]').click();
  }
  if (wants('careful')) {
    const eva = await person(
      { ...SMALL, locale: language },
      `${server.address}#/replay/${game.table}?turn=9&spoilers=no`,
    );
    await eva.locator('.moment').waitFor();
    await shoot(eva, 'careful');
  }
  if (wants('analysis')) {
    await page.setViewportSize({ width: 1280, height: 720 });
    await openTab(page, 'analysis');
    await page.locator('[data-analyse]').click();
    await page.locator('[data-result]').waitFor({ timeout: 300_000 });
    await shoot(page, 'analysis', () => openTab(page, 'analysis'));
    const moment = page.locator('.missed[data-moment]').first();
    if (await moment.count()) {
      await moment.locator('[data-answer]').click();
      await shoot(page, 'moment', async () => {
        await openTab(page, 'analysis');
        await moment.scrollIntoViewIfNeeded();
      });
    }
  }
  if (wants('file')) {
    await page.goto('about:blank');
    await page.goto(`${server.address}#/replay`);
    await page
      .locator('[data-record-file]')
      .setInputFiles({ name: 'game.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from('nonsense') });
    await page.getByRole('alert').waitFor();
    await shoot(page, 'file');
  }
});

test('the finale in motion', async ({ person, server }) => {
  test.skip(!wants('finale'));
  for (const [width, height] of [
    [360, 740],
    [1280, 720],
  ] as const) {
    const page = await person({
      viewport: { width, height },
      locale: language,
      reducedMotion: 'no-preference',
      quiet: true,
      settings: { hold: '0' },
    });
    const game = await quickGame(page, 'europe', 2);
    await page.goto(`${server.address}table/${game.table}#token=${game.token}`);
    await page.locator('[data-finale-again]').click();
    const frames: Picture[] = [];
    let said = '';
    for (let tries = 0; tries < 240 && frames.length < 40; tries += 1) {
      const here = await page
        .locator('.finale')
        .first()
        .innerText({ timeout: 2_000 })
        .catch(() => '');
      if (!here) break;
      if (here !== said || tries % 3 === 0)
        frames.push({ name: `${tries}`, width, height, data: (await page.screenshot()).toString('base64') });
      said = here;
      if (await page.locator('[data-finale=winner]').count()) {
        await page.waitForTimeout(1_500);
        frames.push({ name: 'winner', width, height, data: (await page.screenshot()).toString('base64') });
        break;
      }
      await page.waitForTimeout(350);
    }
    const across = width === 360 ? 8 : 4;
    const rows = Array.from({ length: Math.ceil(frames.length / across) }, (_, row) =>
      frames.slice(row * across, (row + 1) * across),
    );
    for (let part = 0; part * 3 < rows.length; part += 1)
      await sheet(page, `film-finale-${width}-${part}`, rows.slice(part * 3, part * 3 + 3), width === 360 ? 0.8 : 0.5);
  }
});

test('learning to play, and what is on this device', async ({ person, server }) => {
  const page = await person({ ...SMALL, locale: language, quiet: true });
  if (wants('games', 'offline')) {
    const game = await quickGame(page, 'usa', 1);
    await page.goto(`${server.address}table/${game.table}#token=${game.token}`);
    await page.locator('.final').waitFor();
    await expect.poll(() => page.evaluate(() => localStorage['ferrovia.games'] ?? '')).toContain(game.table);
    await page.goto(`${server.address}#/games`);
    await page.locator('[data-statistics]').first().waitFor();
    await shoot(page, 'games');
    await page.goto(`${server.address}#/replay/${game.table}`);
    await page.locator('.moment').waitFor();
    await page.context().setOffline(true);
    await page.goto(`${server.address}#/`).catch(() => undefined);
    await shoot(page, 'offline');
    await page.context().setOffline(false);
    await page.goto(server.address);
  }
  await at(page, '#/learn');
  await page.locator('[data-tutorial]').first().waitFor();
  await shoot(page, 'learn');
  for (const name of ['usa', 'europe']) {
    if (!wants('tutorial')) break;
    const { steps } = notesOf(name);
    await at(page, `#/learn/${name}`);
    const guide = page.locator('.guide');
    for (const [number, step] of steps.entries()) {
      await page.locator(`.guide[data-step="${number}"]`).waitFor();
      await page.locator('.table:not([aria-busy=true])').waitFor();
      await shoot(page, 'tutorial', undefined, `tutorial-${name}-${number + 1}`);
      await page.setViewportSize({ width: 1280, height: 720 });
      if (step.question) await press(page, `[data-answer="${step.question.right}"]`);
      while (step.goal && (await guide.getAttribute('data-outcome')) !== 'met') {
        const next = await page.evaluate(wanted, { does: step.goal.does, route: routeFor(step) });
        if (next) await press(page, next);
        await page.waitForTimeout(100);
      }
      if (number < steps.length - 1) await press(page, '[data-next]:enabled');
    }
    await page.goto('about:blank');
    await page.goto(server.address);
  }
  const puzzles = (process.env['PUZZLES'] ?? '3 4 16 0').split(' ');
  for (const number of puzzles) {
    if (!wants('puzzle')) break;
    await at(page, `#/puzzles/${number}`);
    await expect(page.locator('h1')).toContainText(` ${Number(number) + 1} `);
    await page.locator('[data-right=false]').first().click();
    await shoot(page, 'puzzle', async () => page.evaluate(() => scrollTo(0, 0)), `puzzle-${number}`);
  }
  await at(page, '#/rules/europe?rule=R7.2');
  await page.locator('[data-rule="R7.2"]').waitFor();
  await shoot(page, 'rules');
});
