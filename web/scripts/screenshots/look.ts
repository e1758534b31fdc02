/**
 * Pictures of every state of the table at seven sizes, by day and night, on contact sheets in `look`: for every state one of
 * phones, one of tablets and two of screens. A state that is not reached is an error. `STATES="payment hold"` takes some of them, `EDITION=usa` another map, `TONGUE=ro` another
 * language, `WIDTHS="360 740"` some of the windows, `THEMES=light` one of the themes.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HELD, Player } from '../../tests/browser/support/players/player.ts';
import { Wire } from '../../tests/browser/support/server/proxy.ts';
import { expect, openTab, playBots, SIZES, test, type Page } from '../../tests/browser/support/test.ts';

const folder = fileURLToPath(new URL('../../look/', import.meta.url));
const wanted = process.env['STATES']?.split(' ');
const language = process.env['TONGUE'] ?? 'en';
const widths = process.env['WIDTHS']?.split(' ').map(Number);
const sizes = SIZES.filter(({ width }) => !widths || widths.includes(width));
const wants = (...states: string[]) => !wanted || states.some((state) => wanted.includes(state));
const edition = process.env['EDITION'] ?? 'europe';
const THEMES = (['light', 'dark'] as const).filter((theme) => process.env['THEMES']?.includes(theme) ?? true);
const USUAL = { width: 1280, height: 720 };
const QUICK = { type: 'jpeg', quality: 85 } as const; // three times as quick as a PNG

/** Runs in every page: timers of half a second and more, or only those of the stage, wait while it is frozen, and are let go one round at a time. */
function freezable(): void {
  const later = globalThis.setTimeout;
  const held: (() => void)[] = [];
  const frozen = { on: false as boolean | 'stage', step: () => held.splice(0).forEach((act) => act()) };
  const ofStage = (time: number) => [750, 1_500, 1_800].some((one) => Math.abs(one * 0.7 - time) < 1); // scenes.svelte.ts, at the quickest pace
  const set = (act: () => void, time = 0, ...rest: unknown[]) =>
    frozen.on && (frozen.on === true ? time >= 500 : ofStage(time)) ? (held.push(act), 0) : later(act, time, ...rest);
  Object.assign(globalThis, { setTimeout: set, frozen });
}
const freeze = (page: Page, on: boolean | 'stage') =>
  page.evaluate(
    (value) => void ((globalThis as unknown as { frozen: { on: boolean | 'stage' } }).frozen.on = value),
    on,
  );
const step = (page: Page) => page.evaluate(() => (globalThis as unknown as { frozen: { step(): void } }).frozen.step());

type Picture = { readonly name: string; readonly width: number; readonly height: number; readonly data: string };
type Theme = (typeof THEMES)[number];

/** The sheets of a state: which windows are on them, and at which scale, so that a sheet can be looked at whole and read. */
const SHEETS: Readonly<Record<string, readonly (readonly [width: number, scale: number])[]>> = {
  phone: [
    [360, 1],
    [740, 1],
  ],
  tablet: [[768, 1]],
  desk: [
    [1024, 1],
    [1280, 0.8],
  ],
  screen: [
    [1440, 0.7],
    [1920, 0.525],
  ],
};

/** Put pictures side by side, in rows. */
async function sheet(
  page: Page,
  path: string,
  rows: readonly (readonly (readonly [Picture, number])[])[],
): Promise<void> {
  const figure = ([{ name, width, height, data }, scale]: readonly [Picture, number]) =>
    `<figure style="margin:0"><figcaption style="font:14px/20px sans-serif">${name}</figcaption><img style="display:block" width="${width * scale}" height="${height * scale}" src="data:image/jpeg;base64,${data}"></figure>`;
  const context = await page.context().browser()!.newContext(); // of its own: the page that is looked at stays in front, and seen
  const wall = await context.newPage();
  const across = Math.max(...rows.map((row) => row.reduce((sum, [one, scale]) => sum + one.width * scale + 12, 0)));
  const down = rows.reduce((sum, row) => sum + 24 + Math.max(...row.map(([one, scale]) => one.height * scale)), 0);
  await wall.setViewportSize({ width: Math.ceil(across), height: Math.ceil(down) });
  await wall.setContent(
    `<body style="margin:0;background:#777">${rows.map((row) => `<div style="display:flex;gap:12px;align-items:start">${row.map(figure).join('')}</div>`).join('')}</body>`,
  );
  await wall.screenshot({ ...QUICK, path });
  await context.close();
}

const taken = new Set<string>();
/** Every one of these states that was asked for has been reached. */
const expectTaken = (...states: readonly string[]) =>
  expect(
    states.filter((state) => wants(state) && !taken.has(state)),
    'states that were not reached',
  ).toEqual([]);

async function shoot(page: Page, state: string, each?: () => Promise<void>): Promise<void> {
  if (!wants(state)) return;
  mkdirSync(folder, { recursive: true });
  const pictures = new Map<string, Picture>();
  for (const { width, height } of sizes) {
    await page.setViewportSize({ width, height });
    await page.evaluate(async () => {
      for (let frame = 0; frame < 8; frame++) await new Promise(requestAnimationFrame);
    });
    await each?.();
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      const data = (await page.screenshot(QUICK)).toString('base64');
      pictures.set(`${width} ${colorScheme}`, {
        name: `${state} ${language} ${width}×${height} ${colorScheme}`,
        width,
        height,
        data,
      });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(USUAL);
  const of = (width: number, scale: number) =>
    THEMES.flatMap((theme: Theme) => {
      const one = pictures.get(`${width} ${theme}`);
      return one ? [[one, scale] as const] : [];
    });
  for (const [part, windows] of Object.entries(SHEETS)) {
    const rows = windows.map(([width, scale]) => of(width, scale)).filter((row) => row.length);
    if (rows.length) await sheet(page, `${folder}${language}-${edition}-${state}-${part}.jpg`, rows);
  }
  taken.add(state);
}

const settle = (page: Page) => page.mouse.move(1, 1);
/** Change a setting, as another window of this browser would. */
const setting = (page: Page, key: string, value: string) =>
  page.evaluate(
    ([name, chosen]) => {
      localStorage[`ferrovia.${name}`] = chosen;
      dispatchEvent(new StorageEvent('storage', { key: `ferrovia.${name}` }));
    },
    [key, value] as const,
  );

test('one game, from the first tickets to the score', async ({ person }) => {
  const page = await person({ viewport: USUAL, locale: language });
  await page.context().addInitScript(freezable);
  await page.reload();
  await page.locator('[data-name]').fill('Ada');
  await playBots(page, edition, 3);
  const player = new Player(page, { once: ['station', 'tickets', 'tunnel'] });
  const seen = new Set<string>();
  const once = async (state: string, act?: () => Promise<void>) => {
    if (seen.has(state)) return;
    seen.add(state);
    if (act) await act();
    else await shoot(page, state);
  };
  await player.ready();
  await page.locator('.dock .ticket').first().click();
  await once('start-tickets');
  if (wants('hint-reasons')) {
    await page.locator('[data-hint]').click();
    await page.locator('[data-hinted]').waitFor();
    await once('hint-reasons');
    await page.keyboard.press('Escape');
  }
  for (let what = '', turns = 0; what !== 'over';) {
    const aim = await player.ready();
    what = aim.what;
    if (what === 'over') break;
    const has = (selector: string) =>
      page
        .locator(selector)
        .count()
        .then((count) => count > 0);
    await settle(page);
    if (what === 'keep' || what === 'ticket') {
      if (await has('[data-offer=more]')) await once('ticket-offer');
    } else if (await has('[data-withdraw]')) await once('tunnel-surcharge');
    else if (await has('[data-payment=city]')) await once('station-payment');
    else if (await has('[data-payment=route]')) {
      const tunnel = await has('[data-odds]');
      await once(tunnel ? 'tunnel-before' : 'payment');
      if (!seen.has('hold') && !tunnel) {
        await once('hold', async () => {
          if (!wants('hold')) return;
          await setting(page, 'hold', HELD.hold);
          await page.locator('.dock [data-pay]').first().click();
          await page.locator('[data-carry-out]').waitFor();
          await shoot(page, 'hold');
          await setting(page, 'hold', '0');
          await page.locator('[data-carry-out]').click();
        });
        if (wants('hold')) continue;
      }
      if (
        tunnel &&
        wants('tunnel-turning', 'tunnel-verdict', 'tunnel-free') &&
        !(seen.has('tunnel-verdict') && seen.has('tunnel-free'))
      ) {
        await setting(page, 'pace', '100'); // at which timers of the stage are told from all others
        await freeze(page, 'stage');
        await page.locator('.dock [data-pay]').first().click();
        await page.locator('[data-scene=tunnel]').waitFor();
        await expect
          .poll(() => step(page).then(() => page.locator('[data-turned]').count()), 'cards are turned up')
          .toBe(2);
        await once('tunnel-turning');
        await expect
          .poll(() => step(page).then(() => page.locator('[data-verdict]').count()), 'the price is told')
          .toBe(1);
        await once((await has('[data-verdict="0"]')) ? 'tunnel-free' : 'tunnel-verdict');
        await freeze(page, false);
        await setting(page, 'pace', '0');
        await step(page);
        continue;
      }
    } else if (await has('[data-draw-tickets]')) await once('ticket-draw');
    else if (await has('[data-site]')) await once('station-choice');
    else if (await has('.last-round')) await once('last-round');
    else if (await has('.band.open')) {
      await once('glow');
      turns += 1;
      if (turns === 1) await calm(page, once);
    } else if (
      (await page.locator('[data-take][aria-disabled=true]').count()) ||
      (await page.locator('header').textContent())!.match(/second|segunda|doua/)
    )
      await once('second-card');
    else await once('turn');
    await player.press();
  }
  await once('over');
  const tunnels = edition.startsWith('europe')
    ? [
        'tunnel-before',
        'tunnel-turning',
        'tunnel-verdict',
        'tunnel-free',
        'tunnel-surcharge',
        'station-choice',
        'station-payment',
      ]
    : [];
  expectTaken(
    'start-tickets',
    'hint-reasons',
    'turn',
    'second-card',
    'glow',
    'payment',
    'hold',
    'ticket-draw',
    'ticket-offer',
    'last-round',
    'over',
    ...tunnels,
    'flight',
    'planner-one',
    'planner-several',
    'log',
    'routes',
    'facts',
    'rules',
    'menu',
    'settings',
    'refusal',
    'large-text',
    'hint',
    'paused',
  );
});

/** What can be looked at in any turn. */
async function calm(page: Page, once: (state: string, act?: () => Promise<void>) => Promise<void>): Promise<void> {
  if (wants('flight')) {
    await setting(page, 'pace', '800');
    await once('flight', async () => {
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await shoot(page, 'flight', async () => {
        await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()));
        await page
          .locator('header.mine [data-hint], [data-flight]')
          .first()
          .waitFor({ state: 'attached', timeout: 60_000 });
        await page
          .locator('[data-draw][aria-disabled=false]')
          .click({ timeout: 1_000 })
          .catch(() => undefined);
        await page.locator('[data-flight]').first().waitFor({ state: 'attached', timeout: 60_000 });
        await page.evaluate(() => {
          for (const one of document.getAnimations()) {
            if (!((one.effect as KeyframeEffect).target as Element | null)?.matches('[data-flight]')) continue;
            one.pause();
            one.currentTime = 320;
          }
        });
      });
      await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()));
      await page.emulateMedia({ reducedMotion: 'reduce' });
    });
    await setting(page, 'pace', '0');
  }
  if (wants('planner-one', 'planner-several')) {
    await openTab(page, 'tickets');
    await page.locator('[data-pin]').first().click();
    const opened = () => openTab(page, 'tickets');
    await once('planner-one', () => shoot(page, 'planner-one', opened));
    while (await page.locator('[data-pin][aria-pressed=false]').count())
      await page.locator('[data-pin][aria-pressed=false]').first().click();
    await once('planner-several', () => shoot(page, 'planner-several', opened));
    while (await page.locator('[data-pin][aria-pressed=true]').count())
      await page.locator('[data-pin][aria-pressed=true]').first().click();
  }
  if (wants('log')) {
    await once('log', () => shoot(page, 'log', () => openTab(page, 'log')));
    await openTab(page, 'tickets');
  }
  if (wants('routes')) {
    await once('routes', () => shoot(page, 'routes', () => openTab(page, 'routes')));
    await openTab(page, 'tickets');
  }
  await page.locator('[data-players]').click();
  await once('facts');
  await page.locator('[data-players]').click();
  await page.locator('[data-rules]').click();
  await once('rules');
  await page.keyboard.press('Escape');
  await page.locator('header .menu').click();
  await once('menu');
  await page.locator('[data-open-settings]').click();
  await once('settings');
  await page.keyboard.press('Escape');
  if (wants('refusal')) {
    await freeze(page, true);
    await page.locator('[data-route]:not([data-open]):not([data-owner])').first().dispatchEvent('click', { detail: 0 });
    await page.locator('.slip').waitFor();
    await once('refusal');
    await freeze(page, false);
    await page.keyboard.press('Escape');
  }
  if (wants('large-text')) {
    await setting(page, 'text', '150');
    await once('large-text');
    await setting(page, 'text', '100');
  }
  if (wants('turned')) {
    await setting(page, 'turned', '1');
    await once('turned', () =>
      shoot(page, 'turned', async () => {
        const turn = page.locator('[data-turn][aria-pressed=false]');
        if (await turn.count()) await turn.click();
      }),
    );
  }
  if (wants('hint')) {
    await page.locator('[data-hint]').click();
    await page.locator('[data-hinted]').waitFor();
    await once('hint');
    await page.keyboard.press('Escape');
  }
  if (wants('paused')) {
    await page.locator('header .menu').click();
    await page.locator('dialog [data-pause]').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await once('paused');
    await page.locator('header .menu').click();
    await page.locator('dialog [data-resume]').click();
  }
}

test('what opponents do, on stage', async ({ person }) => {
  if (!wants('opponent-tunnel', 'flush')) return;
  const page = await person({ viewport: USUAL, locale: language, settings: { hold: '0', pace: '300' } });
  await page.context().addInitScript(freezable);
  await page.reload();
  await page.locator('[data-name]').fill('Ada');
  await playBots(page, edition, 3);
  const player = new Player(page);
  const seen = new Set<string>();
  await freeze(page, 'stage');
  for (let what = ''; what !== 'over' && seen.size < 2;) {
    const next = player.ready().then((aim) => aim.what);
    const scene = page.locator('[data-scene]');
    while (
      (await Promise.race([
        next,
        scene.waitFor({ timeout: 60_000 }).then(
          () => '',
          () => 'none',
        ),
      ])) === ''
    ) {
      const kind = (await scene.getAttribute('data-scene')) === 'flush' ? 'flush' : 'opponent-tunnel';
      const whose = await scene.textContent();
      if (kind === 'opponent-tunnel')
        for (let turn = 0; turn < 2; turn += 1) await step(page).then(() => page.waitForTimeout(60));
      if (!seen.has(kind) && !whose?.includes('Ada')) await shoot(page, kind);
      if (!whose?.includes('Ada')) seen.add(kind);
      await page.locator('[data-skip]').click();
      while (await scene.count()) await step(page).then(() => page.waitForTimeout(60));
    }
    what = await next;
    if (what !== 'over') what = await player.press();
  }
  expectTaken('opponent-tunnel', 'flush');
});

test('practice: what was done is taken back', async ({ person }) => {
  if (!wants('practice')) return;
  const page = await person({ viewport: USUAL, locale: language });
  await page.locator('[data-name]').fill('Ada');
  await page.locator('[data-practice-choice]').check();
  await playBots(page, edition);
  const player = new Player(page);
  while ((await player.press()) !== 'keep');
  await page.locator('[data-draw]').click();
  await page.locator('[data-undo]').waitFor();
  await settle(page);
  await shoot(page, 'practice');
});

test('two people: waiting, undo asked, a lost connection, a spectator', async ({ person, server }) => {
  if (!wants('waiting', 'chat-tickets', 'chat', 'undo-asked', 'lost', 'spectator')) return;
  const wire = new Wire(server.address);
  const ada = await person({ viewport: USUAL, locale: language, quiet: true }, await wire.lay());
  await ada.locator('[data-setup=new]').click();
  await ada.locator('[data-edition=usa]').check();
  await ada.locator('[data-name]').fill('Ada');
  await ada.locator('[data-create]').click();
  const link = new URL(await ada.locator('.share input').inputValue());
  await shoot(ada, 'waiting');
  const bob = await person(
    { viewport: USUAL, locale: language },
    server.address + link.pathname.slice(1) + link.search + link.hash,
  );
  await bob.locator('[data-name]').fill('Bob');
  await bob.locator('[data-sit]').click();
  await ada.locator('[data-first]').selectOption('0');
  await ada.locator('[data-begin]').click();
  await ada.locator('.dock .ticket').first().waitFor();
  if (wants('chat-tickets')) {
    await shoot(ada, 'chat-tickets', () => openTab(ada, 'chat'));
    await ada.locator('[data-tab=chat]').click();
  }
  const players = [new Player(ada), new Player(bob)];
  for (const player of players) while ((await player.press()) !== 'keep');
  for (let claimed = false; !claimed;) {
    for (const player of players) {
      for (let drawn = 0; drawn < 2 && !claimed;) {
        const what = await player.press();
        claimed = what === 'claim' && player === players[0];
        if (what === 'draw') drawn += 1;
        if (what === 'claim') break;
      }
      if (claimed) break;
    }
  }
  await ada.locator('[data-undo]').click();
  await bob.locator('[data-undo-asked]').waitFor();
  await settle(bob);
  await shoot(bob, 'undo-asked');
  if (!(await bob.locator('[data-undo-agree]').count())) await ada.locator('[data-undo]').click(); // nobody waits as long as pictures take
  await bob.locator('[data-undo-agree]').click();
  await ada.locator('header.mine').waitFor();
  if (wants('chat')) {
    await openTab(ada, 'chat');
    await ada.locator('[data-say]').fill('Chicago is mine!');
    await ada.locator('[data-send]').click();
    await shoot(ada, 'chat', () => openTab(ada, 'chat'));
    await openTab(ada, 'tickets');
  }
  const watcher = await person({ viewport: USUAL, locale: language }, bob.url());
  await watcher.locator('.table').waitFor();
  await shoot(watcher, 'spectator');
  await setting(ada, 'hold', HELD.hold);
  wire.cut();
  await ada.locator('.lost').waitFor();
  await ada.locator('[data-draw]').click();
  await ada.locator('[data-waiting]').waitFor();
  await shoot(ada, 'lost');
  await ada.context().close();
  await wire.end();
});
