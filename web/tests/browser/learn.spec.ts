/** Learning to play: every tutorial to its end by keyboard, in all languages, at three widths; puzzles, rules, analysis. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { notesOf, press, routeFor, wanted } from './support/players/learner.ts';
import { POLLING } from './support/players/player.ts';
import { botGame, quickGame } from './support/players/quick_game.ts';
import { expect, sized, test, WIDTHS, type Page } from './support/test.ts';
import { LANGUAGES as ALL } from '../support/catalogues.ts';
import type { PosedPuzzle } from '../../src/protocol.gen.ts';

/** English last, in which the test goes on. */
const LANGUAGES = ALL.toReversed();
const LOOK = process.env['LOOK_AT'];
const look = async (page: Page, name: string) => {
  if (LOOK) await page.screenshot({ path: `${LOOK}/${name}.png` });
};

/** Speak another language from now on, as when it is chosen in another window. */
async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage['ferrovia.language'] = chosen;
    dispatchEvent(new StorageEvent('storage', { key: 'ferrovia.language' }));
  }, language);
}

/** Go through a tutorial; every step is read in all languages, and looked at in all widths. */
async function playLesson(page: Page, name: string): Promise<void> {
  const { steps } = notesOf(name);
  const guide = page.locator('.guide');
  await guide.waitFor();
  for (const [at, step] of steps.entries()) {
    await expect(guide).toHaveAttribute('data-step', String(at));
    await page.keyboard.press('Tab');
    // There and back again: the next step is begun in the window in which this one was done.
    const widths = at % 2 === 0 ? WIDTHS : WIDTHS.toReversed();
    for (const [place, language] of LANGUAGES.entries()) {
      await speak(page, language);
      await expect(guide.locator('.goal')).toHaveText((step.keys ?? step.text)[language]!);
      const width = widths[place] ?? widths.at(-1)!;
      await page.setViewportSize(sized(width));
      const box = (await guide.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(await guide.evaluate((one) => one.scrollWidth <= one.clientWidth + 1)).toBe(true);
      await look(page, `${name}-${at}-${language}-${width}`);
    }
    if (step.question) {
      const wrong = step.question.right === 0 ? 1 : 0;
      await press(page, `[data-answer="${wrong}"]`);
      await expect(page.locator('[data-next]')).toBeDisabled();
      await press(page, `[data-answer="${step.question.right}"]`);
    }
    for (let tries = 0; step.goal && tries < 400; tries += 1) {
      const outcome = await guide.getAttribute('data-outcome');
      if (outcome === 'met') break;
      expect(outcome, `${name} ${at}`).toBe('open');
      const next = await page.evaluate(wanted, { does: step.goal.does, route: routeFor(step) });
      if (next) await press(page, next);
      await page.waitForTimeout(POLLING);
    }
    await expect(guide).toHaveAttribute('data-outcome', 'met');
    if (at < steps.length - 1) await press(page, '[data-next]');
  }
  await expect(page.locator('[data-first]')).toBeEnabled();
}

for (const name of ['usa', 'europe'] as const) {
  test(`the tutorial ${name} to its end by keyboard, in all languages, at three widths`, async ({ person }) => {
    const page = await person({ viewport: sized(WIDTHS[0]) });
    await page.evaluate((one) => (location.hash = `#/learn/${one}`), name);
    await playLesson(page, name);
    await press(page, '[data-leave]');
    await page.locator('[data-tutorial]').first().waitFor();
  });
}

/** Milliseconds after which an arrow has followed its part. */
const ARROW_FOLLOWS = 250;

/** What the arrow of a lesson covers that is pressed or read, by its text. */
function underArrow(): string[] {
  const arrow = document.querySelector('[data-arrow]')!.getBoundingClientRect();
  const covered = (one: Element) => {
    const box = one.getBoundingClientRect();
    const [across, down] = [
      Math.min(arrow.right, box.right) - Math.max(arrow.left, box.left),
      Math.min(arrow.bottom, box.bottom) - Math.max(arrow.top, box.top),
    ];
    return one.checkVisibility({ visibilityProperty: true }) && across > 2 && down > 2;
  };
  return [...document.querySelectorAll('.table button, .guide, [data-offer]')]
    .filter((one) => !one.closest('.board') && covered(one))
    .map((one) => one.textContent!.trim().slice(0, 40));
}

test('another move is answered with the reason, Back takes it back, and progress is kept', async ({ person }) => {
  const page = await person({ viewport: sized(768) });
  await page.locator('[data-learn]').click();
  await page.locator('[data-tutorial=usa]').click();
  const guide = page.locator('.guide');
  // The arrow lies over nothing that is pressed or read.
  for (const width of [360, 740, 768, 1280, 1440]) {
    await page.setViewportSize(sized(width));
    await page.waitForTimeout(2 * ARROW_FOLLOWS);
    await expect(page.locator('[data-arrow]')).toBeVisible();
    expect(await page.evaluate(underArrow), `under the arrow at ${width}`).toEqual([]);
  }
  await page.setViewportSize(sized(768));
  for (let tries = 0; tries < 200 && (await guide.getAttribute('data-outcome')) !== 'met'; tries += 1) {
    const next = await page.evaluate(wanted, { does: 'keep' });
    if (next) await press(page, next);
    await page.waitForTimeout(POLLING);
  }
  await page.locator('[data-next]').click();
  await expect(guide).toHaveAttribute('data-step', '1');
  await page.locator('[data-draw][aria-disabled=false]').click();
  await expect(guide).toHaveAttribute('data-outcome', 'otherwise');
  await expect(page.locator('.guide .otherwise')).toBeVisible();
  await look(page, 'otherwise');
  await page.locator('[data-rule="R5.1"]').first().click();
  await expect(page.locator('dialog [data-rule="R5.1"].asked')).toBeInViewport();
  await look(page, 'rule-dialog');
  await page.keyboard.press('Escape');
  await page.locator('[data-back]').click();
  await expect(guide).toHaveAttribute('data-outcome', 'open');
  await page.reload();
  await expect(page.locator('.guide')).toHaveAttribute('data-step', '1');

  // A tutorial of one's own: a record, and the notes that name it.
  await page.locator('[data-leave]').click();
  const file = (name: string) => fileURLToPath(new URL(`../../../src/ferrovia/tutorial/data/${name}`, import.meta.url));
  const notes = {
    name: 'europe.notes.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(notesOf('europe'))),
  };
  const record = (name: string) => ({
    name: `${name}.jsonl`,
    mimeType: 'application/jsonl',
    buffer: readFileSync(file(`${name}.jsonl`)),
  });
  await page.locator('[data-own]').setInputFiles([notes, record('usa')]);
  await expect(page.getByRole('alert')).toContainText('another record');
  await page.locator('[data-own]').setInputFiles([notes, record('europe')]);
  await expect(page.locator('.guide .goal')).toHaveText(notesOf('europe').steps[0]!.text['en']!);
});

test('puzzles are solved and failed, with what the answer leads to: exact ones, and a move that two judges agree on', async ({
  person,
  server,
}) => {
  const page = await person({ viewport: sized(360) });
  await page.locator('[data-puzzles]').click();
  let wholeMaps = 0;
  const requested: string[] = [];
  page.on('request', (request) => /\/puzzles\/\d+$/.test(request.url()) && requested.push(request.url()));
  for (let number = 0; number < 5; number += 1) {
    await page.evaluate((at) => (location.hash = `#/puzzles/${at}`), number);
    await expect(page.locator('h1')).toContainText(` ${number + 1} of `);
    const sheet = page.locator('.whole .sheet');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    if (await sheet.count()) {
      const before = await sheet.getAttribute('style');
      await page.getByRole('button', { name: 'Zoom in' }).click();
      await expect(sheet).not.toHaveAttribute('style', before!);
      wholeMaps += 1;
    }
    await expect(page.locator('[data-right]'), 'the solution is not in the document').toHaveCount(0);
    const { puzzle } = (await (await page.request.get(`${server.address}api/puzzles/${number}`)).json()) as PosedPuzzle;
    const answer = (right: boolean) => puzzle.answers.find((one) => one.right === right)!.answer;
    const stands = await page.locator('.whole .sheet').getAttribute('style');
    await page.locator(`[data-answer="${answer(false)}"]`).click();
    await expect(page.locator('.verdict')).toBeVisible();
    expect(await page.locator('.whole .sheet').getAttribute('style'), 'the map stays').toBe(stands);
    await page.locator(`[data-answer="${answer(true)}"]`).click();
    await expect(page.locator('[role=status]').filter({ has: page.locator('.verdict') })).toContainText(/\d/);
    await look(page, `puzzle-${number}`);
  }
  expect(requested, 'what was answered is not forgotten because a puzzle comes again').toHaveLength(5);
  expect(wholeMaps, 'a move is asked about, on a map that can be looked at closely').toBeGreaterThan(0);
  await page.locator('[data-report]').click();
  await expect(page.locator('[data-report]')).toHaveCount(0);
});

test('every edition has its rules, and a refusal leads to its rule', async ({ person }) => {
  const page = await person({ viewport: sized(768) });
  await page.evaluate(() => (location.hash = '#/rules/europe?rule=R7.2'));
  await expect(page.locator('[data-rule="R7.2"]')).toBeInViewport();
  await expect(page.locator('[data-chapter=tunnels] figure')).toBeVisible();
  await look(page, 'rules-europe');
  await page.locator('[data-edition]').selectOption('usa');
  await expect(page.locator('[data-chapter=routes]')).toBeVisible();
  await expect(page.locator('[data-chapter=tunnels]')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('a finished game is analysed in its film: the sheet closes, and moments are exercises', async ({
  person,
  server,
}) => {
  const page = await person({ viewport: sized(1440), quiet: true }); // a game that goes on is refused
  const { table: early } = await quickGame(page, 'usa', 1, 1);
  expect(await page.evaluate(async (id) => (await fetch(`api/tables/${id}/analysis`)).status, early)).toBe(409);
  const table = await botGame(page, 'usa', ['passenger', 'planner']);
  await page.evaluate((id) => (location.hash = `#/replay/${id}`), table);
  await page.locator('[data-tab=analysis]').click();
  await page.locator('[data-analyse]').click();
  await expect(page.locator('[data-result]')).toBeVisible({ timeout: 240_000 });
  const parts = await page.locator('[data-part] td:first-of-type').allInnerTexts();
  const sum = parts.map((text) => Number(text.replace('−', '-'))).reduce((a, b) => a + b, 0);
  expect(sum).toBe(Number(await page.locator('[data-result]').innerText()));
  for (const width of WIDTHS) {
    await page.setViewportSize(sized(width));
    await look(page, `analysis-${width}`);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await look(page, 'analysis-dark');
  const moment = page.locator('.missed[data-moment]').first();
  if (await moment.count()) {
    await moment.locator('[data-answer]').click();
    await expect(moment.locator('.verdict')).toBeVisible();
    await moment.scrollIntoViewIfNeeded();
    await look(page, 'moment');
  }

  // The same game as a file: it is sent, and all seats are spoken of. (What the server makes of it is tested there.)
  const [record, report] = await page.evaluate(
    async (id) => [
      await (await fetch(`api/tables/${id}/record`)).text(),
      await (await fetch(`api/tables/${id}/analysis`)).json(),
    ],
    table,
  );
  let sent = '';
  await page.route('**/api/films/analysis*', (route) => {
    sent = route.request().postData() ?? '';
    return route.fulfill({ json: { ...report, record: '0'.repeat(64), own: null } });
  });
  await page.goto('about:blank');
  await page.goto(`${server.address}#/replay`);
  await page
    .locator('[data-record-file]')
    .setInputFiles({ name: 'game.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(record) });
  await page.locator('[data-tab=analysis]').click();
  await page.locator('[data-analyse]').click();
  await expect(page.locator('[data-result]')).toBeVisible();
  expect(sent).toBe(record);
  const kept = page.waitForEvent('download');
  await page.locator('[data-keep]').click();
  expect((await kept).suggestedFilename()).toBe('game.analysis.json');
});
