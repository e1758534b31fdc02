/** The game as a film: from the end of a game to its finale, its film, and all that others are given of it. */
import { readFileSync } from 'node:fs';
import { expectAccessible, expectClear, LANGUAGES } from './support/checks.ts';
import { quickGame, seatLink } from './support/players/quick_game.ts';
import { expect, sized, SMALL, test, type Page } from './support/test.ts';

/** How many frames a browser decodes of a GIF, all of them whole. */
const framesOf = (page: Page, file: Buffer) =>
  page.evaluate(async (packed) => {
    const data = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: 'image/gif' });
    await decoder.tracks.ready;
    const count = decoder.tracks.selectedTrack!.frameCount;
    for (let frameIndex = 0; frameIndex < count; frameIndex += 1) await decoder.decode({ frameIndex });
    return count;
  }, file.toString('base64'));

const turn = (page: Page) => page.locator('.moment');
const film = (address: string, table: string, query = '') => `${address}#/replay/${table}${query}`;

/** Press a key, and return how many elements of the map came and went for it; with a selector, how many of those came. */
const changedBy = (page: Page, key: string, selector?: string) =>
  page.evaluate(
    async ([name, kind]) => {
      const changed: Node[] = [];
      const watch = new MutationObserver((all) => {
        for (const { addedNodes, removedNodes } of all)
          changed.push(
            ...[...addedNodes].filter((one) => !kind || (one instanceof Element && one.matches(kind))),
            ...(kind ? [] : removedNodes),
          );
      });
      watch.observe(document.querySelector('.map')!, { subtree: true, childList: true });
      dispatchEvent(new KeyboardEvent('keydown', { key: name }));
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      watch.disconnect();
      return changed.filter((one) => one instanceof Element).length;
    },
    [key, selector] as const,
  );

/** Runs in the page: the choices of the film's fields that are cut off without a sign of it. */
function cutChoices(): string[] {
  const pen = document.createElement('canvas').getContext('2d')!;
  return [...document.querySelectorAll('select')].flatMap((field) => {
    const { font, paddingLeft, paddingRight, textOverflow } = getComputedStyle(field);
    pen.font = font;
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return [...field.options]
      .map((one) => one.text)
      .filter((text) => pen.measureText(text).width > room && textOverflow !== 'ellipsis');
  });
}

test('a finished game has a finale and a film, by keyboard and by touch, in every window', async ({
  person,
  server,
}) => {
  const game = await quickGame(await person(SMALL), 'europe', 2);
  const page = await person({ viewport: sized(1280) }, seatLink(server.address, game));

  // The finale: ticket by ticket; one tap skips to the winner, another goes to the score.
  await page.locator('[data-finale-again]').click();
  await expect(page.locator('[data-finale=ticket]')).toBeVisible();
  await expect(page.locator('.finale .ticket').first()).toBeVisible();
  await page.mouse.click(200, 400);
  await expect(page.locator('[data-finale=winner] h2')).toContainText(/wins|shared/);
  await expectAccessible(page, 'finale');
  await page.locator('[data-finale-end]').click();
  await expect(page.locator('.finale')).toHaveCount(0);
  await page.locator('[data-film-link]').first().click();

  // By keyboard.
  await expect(turn(page)).toHaveText('Set-up');
  await page.keyboard.press('End');
  const last = await turn(page).textContent();
  expect(last).toMatch(/Turn \d\d/);
  const trains = page.locator('[data-route][data-owner]');
  const owned = await trains.count();
  await page.keyboard.press('Home');
  await expect(trains).toHaveCount(0);
  const styled = page.evaluate(async () => {
    const pages = new Set<Node>();
    const watch = new MutationObserver((all) => all.forEach(({ target }) => pages.add(target)));
    for (const one of document.querySelectorAll('.log > ol')) watch.observe(one, { attributes: true });
    await new Promise((ended) => addEventListener('keydown', ended, { once: true }));
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    watch.disconnect();
    return pages.size;
  });
  // A jump makes no part of the map anew, bands and stations aside, and styles only the pages of the log that it leaves and finds.
  expect(await changedBy(page, 'End')).toBeLessThan(25);
  expect(await styled).toBeLessThan(7);
  await expect(trains).toHaveCount(owned);
  await page.keyboard.press('Home');
  for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.press('Shift+ArrowRight'); // the set-up, and four turns
  await expect(turn(page)).toHaveText('Turn 4');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('n');
  await page.locator('[data-jumps]').selectOption('claim');
  await page.locator('[data-film=jump-on]').click();
  await expect(trains).not.toHaveCount(0);
  // Where things may move, a train runs onto the route that fell, and stands there.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate(() => document.documentElement.removeAttribute('data-still'));
  expect(await changedBy(page, 'n', '.trains > g')).toBeGreaterThan(0);
  await expect(page.locator('.trains > g')).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(page).toHaveURL(/#\/replay\/[\w-]+\?turn=\d+/);

  // Who scrolls finds lines everywhere in the log.
  const line = (at: number) =>
    page.evaluate((share) => {
      const box = document.querySelector('#film-panel')!.getBoundingClientRect();
      return (
        document
          .elementFromPoint(box.left + box.width / 2, box.top + 8 + share * (box.height - 16))
          ?.closest('.log ol') !== null
      );
    }, at);
  for (const down of [9_000, -4_000, 1_500]) {
    await page.locator('#film-panel').evaluate((panel, by) => panel.scrollBy(0, by), down);
    for (const at of [0.1, 0.5, 0.9]) await expect.poll(() => line(at)).toBe(true);
  }

  // Every line is a place, and so is every route.
  await page.locator('[data-line]').last().click();
  await expect(trains).toHaveCount(owned);
  await trains.first().evaluate((one) => one.dispatchEvent(new MouseEvent('click', { bubbles: true })));
  await expect(page.locator('.now')).toContainText('claimed');

  // From a seat's eyes the others' cards are unknown; their hands are not there.
  await page.locator('[data-tab=players]').click();
  await expect(page.locator('[data-seat] .hand')).toHaveCount(3);
  await page.locator('[data-eyes]').selectOption('1');
  await expect(page.locator('[data-seat] .hand')).toHaveCount(1);
  await expect(page.locator('[data-seat="1"] .hand')).toBeVisible();

  for (const width of [360, 740, 768, 1440]) {
    await page.setViewportSize(sized(width));
    for (const tab of ['log', 'players', 'chart']) {
      const button = page.locator(`[data-tab=${tab}]`);
      if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
      await expectClear(page, `film, ${tab}, ${width}`);
    }
    await expectAccessible(page, `film, ${width}`, width === 1440 ? 'all' : 'panels');
  }

  // On a phone a choice that is longer than its field ends in three dots, in every language.
  await page.setViewportSize(sized(360));
  for (const language of LANGUAGES) {
    await page.evaluate((chosen) => localStorage.setItem('ferrovia.language', chosen), language);
    await page.reload();
    await page.locator('[data-jumps]').waitFor();
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    expect(await page.evaluate(cutChoices), language).toEqual([]);
  }
  await page.locator('[data-open=share]').click();
  await expectAccessible(page, 'share');
});

test('others are given a turn, without spoilers if need be; it is played on, and files are proved', async ({
  person,
  server,
}) => {
  const game = await quickGame(await person(SMALL), 'usa', 1);
  const ada = await person(SMALL, film(server.address, game.table, '?turn=9&seat=0'));
  await expect(turn(ada)).toHaveText('Turn 9');
  await ada.locator('[data-open=share]').click();
  const link = (kind: string) => ada.locator(`[data-share=${kind}]`).inputValue();
  const [plain, careful] = [await link('link'), await link('link_spoilers')];
  const drawn = ada.waitForEvent('download');
  await ada.locator('[data-make=png]').click();
  expect((await drawn).suggestedFilename()).toMatch(/\.png$/);
  const moving = ada.waitForEvent('download');
  await ada.locator('[data-make=clip]').click();
  expect((await moving).suggestedFilename()).toMatch(/-1-9\.svg$/);

  // A film that messengers play.
  const played = ada.waitForEvent('download');
  await ada.locator('[data-make=gif]').click();
  const file = await played;
  expect(file.suggestedFilename()).toMatch(/-1-9\.gif$/);
  expect(await framesOf(ada, readFileSync(await file.path()))).toBeGreaterThan(2);

  // Somebody else, in another language.
  const eva = await person({ ...SMALL, locale: 'es' }, plain);
  await expect(turn(eva)).toHaveText('Turno 9');
  await expect(eva.locator('[data-eyes]')).toHaveValue('0');

  // Without spoilers: what comes later does not leave the server.
  const answers: { whole: boolean; steps: { turn: number }[]; result: unknown }[] = [];
  eva.on('response', async (response) => {
    if (response.url().includes('/film')) answers.push((await response.json()).film);
  });
  await eva.goto('about:blank');
  await eva.goto(careful);
  await expect(turn(eva)).toHaveText('Turno 9');
  await expect.poll(() => answers.length).toBe(1);
  expect([answers[0]!.whole, answers[0]!.result]).toEqual([false, null]);
  expect(Math.max(...answers[0]!.steps.map((step) => step.turn))).toBe(9);
  await eva.locator('[data-tab=analysis]').click();
  await expect(eva.locator('[data-analyse]')).toHaveCount(0); // it would tell the end
  await eva.locator('[data-tab=log]').click();
  await eva.locator('[data-film=on]').click();
  await expect(turn(eva)).toHaveText('Turno 10');
  await eva.locator('[data-all]').click();
  await expect(eva.locator('[data-more]')).toHaveCount(0);

  // Played on from a turn, against bots.
  await eva.locator('[data-open=fork]').click();
  await eva.locator('[data-fork-cards]').selectOption('new');
  await eva.locator('[data-fork-begin]').click();
  await expect(eva.locator('.table')).toBeVisible();
  await expect(eva).toHaveURL(/\/table\//);

  // The same deal as a challenge: a table with a seat for a friend.
  await eva.goto('about:blank');
  await eva.goto(plain);
  await eva.locator('[data-open=fork]').click();
  await eva.locator('[data-fork=deal]').check();
  await eva.locator('[data-fork-others]').selectOption('friends');
  await eva.locator('[data-fork-begin]').click();
  await expect(eva).toHaveURL(/\/table\//);
  await expect(eva.locator('[data-fill]')).toHaveCount(1);

  // Files: a good one is shown, others are refused in words.
  const record = await (await fetch(`${server.address}api/tables/${game.table}/record`)).text();
  const page = await person({ ...SMALL, quiet: true }, `${server.address}#/replay`);
  const choose = (text: string) =>
    page
      .locator('[data-record-file]')
      .setInputFiles({ name: 'game.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) });
  await choose('nonsense');
  await expect(page.getByRole('alert')).toContainText('not a record');
  await choose(
    record
      .split('\n')
      .filter((_, at) => at !== 30)
      .join('\n'),
  );
  await expect(page.getByRole('alert')).toContainText(/Line \d+ · R\d/);
  await choose(record);
  await expect(turn(page)).toHaveText('Set-up');
});

test('three browsers watch together: one leads, one breaks free and comes back', async ({ person, server }) => {
  const game = await quickGame(await person(SMALL), 'usa', 1);
  const ada = await person(SMALL, seatLink(server.address, game));
  await ada.locator('[data-film-link]').first().click();
  const [bob, eva] = [
    await person(SMALL, film(server.address, game.table)),
    await person(SMALL, film(server.address, game.table)),
  ];
  await ada.locator('[data-together=lead]').click();
  for (const page of [bob, eva]) await expect(page.locator('.together')).toContainText('Ada leads');
  for (let pressed = 0; pressed < 4; pressed += 1) await ada.keyboard.press('Shift+ArrowRight');
  for (const page of [bob, eva]) await expect(turn(page)).toHaveText('Turn 3');
  await bob.keyboard.press('Home');
  await expect(bob.locator('[data-together=follow]')).toBeVisible();
  await ada.keyboard.press('Shift+ArrowRight');
  await expect(turn(eva)).toHaveText('Turn 4');
  await expect(turn(bob)).toHaveText('Set-up');
  await bob.locator('[data-together=follow]').click();
  await expect(turn(bob)).toHaveText('Turn 4');
  // What the leader points at is marked for the others.
  await ada.locator('[data-route="boston-montreal"]').first().focus();
  for (const page of [bob, eva]) await expect(page.locator('.band.hint')).toHaveCount(1);
  await ada.locator('[data-together=stop]').click();
  await expect(eva.locator('[data-together]')).toHaveCount(0);
});

test('in a running game one sees one’s own past from one’s own seat', async ({ person, server }) => {
  const game = await quickGame(await person(SMALL), 'usa', 1, 6);
  const ada = await person(SMALL, seatLink(server.address, game));
  await ada.locator('header .menu').click();
  await ada.locator('[data-film-since]').click();
  await expect(turn(ada)).toHaveText(/Turn \d/);
  await expect(ada.locator('[data-eyes] option')).toHaveCount(1);
  await expect(ada.locator('[data-open=share]')).toHaveCount(0);
  await ada.locator('[data-open=table]').click();
  await expect(ada.locator('.table')).toBeVisible();
  const stranger = await person({ ...SMALL, quiet: true }, film(server.address, game.table));
  await expect(stranger.getByRole('alert')).toContainText('not over');
});

test('my games have statistics, go out and come back as a file, and work without a network', async ({
  person,
  server,
}) => {
  const game = await quickGame(await person(SMALL), 'usa', 1);
  const ada = await person({ ...SMALL, quiet: true, serviceWorkers: 'allow' }, seatLink(server.address, game));
  await expect(ada.locator('.final')).toBeVisible();
  await expect.poll(() => ada.evaluate(() => localStorage['ferrovia.games'] ?? '')).toContain(game.table);
  await ada.goto(`${server.address}#/games`);
  await expect(ada.locator('[data-statistics=usa]')).toBeVisible();
  await expect(ada.locator('.heat path').first()).toBeAttached();
  for (const width of [360, 1440]) {
    await ada.setViewportSize(sized(width));
    await expectAccessible(ada, `my games, ${width}`);
  }
  const exported = ada.waitForEvent('download');
  await ada.locator('[data-export]').click();
  const file = await (await exported).path();
  await ada.getByRole('button', { name: 'Remove' }).click();
  await expect(ada.locator('[data-game]')).toHaveCount(0);
  await ada.locator('[data-import]').setInputFiles(file);
  await expect(ada.locator('[data-game]')).toHaveCount(1);
  await ada.locator('[data-game]').click();
  await expect(turn(ada)).toHaveText('Set-up');

  // What was opened before works without a network, once the worker has kept it.
  await ada.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await ada.reload();
  await expect(turn(ada)).toHaveText('Set-up');
  const kept = () =>
    ada.evaluate(async () => (await (await caches.open('ferrovia-1')).keys()).map((one) => one.url).join(' '));
  await expect.poll(kept).toMatch(/\/film.*/);
  await expect.poll(kept).toContain('ReplayPage');
  // What the server says at another address is not taken for the page.
  const here = ada.url();
  await ada.goto(`${server.address}api/editions/usa`);
  await ada.goto(here);
  await expect(turn(ada)).toHaveText('Set-up');
  await ada.context().setOffline(true);
  await ada.reload();
  await expect(turn(ada)).toHaveText('Set-up');
  await ada.keyboard.press('End');
  await expect(turn(ada)).toHaveText(/Turn \d/);
});
