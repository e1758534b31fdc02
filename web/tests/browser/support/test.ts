import { test as base, expect, type BrowserContextOptions, type Page } from '@playwright/test';
import { GameServer, PORTUGAL, Replayer } from './server/server.ts';

export { expect };
export type { Page };

/**
 * `quiet`: the test makes errors of the network itself. `newcomer`: nobody has been here before. `settings`: of this browser; else moves are sent at
 * once and nothing is played on stage, so that whole games take no longer than they must. `drawn`: pixels are
 * drawn, else only where all tests are run with them.
 */
type Sitting = BrowserContextOptions & {
  readonly quiet?: boolean;
  readonly newcomer?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly drawn?: boolean;
};

export interface Options {
  /**
   * Whether pages are drawn. A page that is transparent has its layout, is pressed and read as always, and
   * Chromium paints no pixel of it, which is a third of its work.
   */
  drawn: boolean;
}

interface Fixtures extends Options {
  /** A browser of somebody's own, on the start page; anything in its console fails the test. */
  person: (options?: Sitting, address?: string) => Promise<Page>;
  /** What `ferrovia replay` says of a record. */
  replay: (record: string) => Promise<string>;
}

export const HEIGHTS: Readonly<Record<number, number>> = {
  360: 740,
  740: 360,
  768: 1024,
  1024: 768,
  1280: 720,
  1440: 900,
  1920: 1080,
};
/** The sizes of window that the table is made for: phones both ways, tablets both ways, three screens. */
export const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
] as const;
export const WIDTHS = [360, 768, 1440] as const;
export const sized = (width: number) => ({ width, height: HEIGHTS[width]! });
/** A small window with everything side by side, for games in which nobody looks at the layout: Chromium draws less. */
export const SMALL = { viewport: { width: 1040, height: 720 } } as const;

export const test = base.extend<Fixtures, { server: GameServer; replayer: Replayer }>({
  server: [
    async ({}, use) => {
      const server = await new GameServer('--board', PORTUGAL).start();
      await use(server);
      await server.end();
    },
    { scope: 'worker' },
  ],

  replayer: [
    async ({}, use) => {
      const replayer = new Replayer();
      await use(replayer);
      replayer.end();
    },
    { scope: 'worker' },
  ],
  drawn: [true, { option: true }],
  replay: async ({ replayer }, use) => use((record) => replayer.replay(record)),

  person: async ({ browser, server, drawn: always }, use) => {
    const problems: string[] = [];
    const opened: Page[] = [];
    await use(
      async (
        { quiet = false, newcomer = false, settings = { hold: '0', pace: '0' }, drawn = always, ...options } = {},
        address = server.address,
      ) => {
        const context = await browser.newContext({
          ...SMALL,
          locale: 'en',
          reducedMotion: 'reduce',
          serviceWorkers: 'block',
          ...options,
        });
        await context.addInitScript(
          (kept) => {
            if (location.protocol === 'about:') return; // an empty page stores nothing
            for (const [key, value] of Object.entries(kept)) localStorage[`ferrovia.${key}`] ??= value;
          },
          newcomer ? settings : { visited: '1', ...settings },
        );
        if (!drawn) await context.addInitScript(makeTransparent);
        const page = await context.newPage();
        opened.push(page);
        page.on('pageerror', (error) => problems.push(String(error)));
        if (!quiet) page.on('console', (said) => said.type() === 'error' && problems.push(said.text()));
        await page.goto(address);
        return page;
      },
    );
    for (const page of opened) await page.context().close();
    expect(problems).toEqual([]);
  },
});

/** Runs in a page before anything else. Whoever looks at colours makes `transparent` false meanwhile. */
function makeTransparent(): void {
  const style = new CSSStyleSheet();
  style.replaceSync(':root { opacity: 0 !important; }');
  document.adoptedStyleSheets = [style];
  Object.defineProperty(globalThis, 'transparent', {
    get: () => !style.disabled,
    set: (on: boolean) => (style.disabled = !on),
  });
}

/** Do something while a page is drawn. */
export async function whileDrawn<Result>(page: Page, act: () => Promise<Result>): Promise<Result> {
  const change = (transparent: boolean) =>
    page.evaluate((on) => {
      const was = (globalThis as { transparent?: boolean }).transparent ?? false;
      if (was !== on && 'transparent' in globalThis) Object.assign(globalThis, { transparent: on });
      return was;
    }, transparent);
  const before = await change(false);
  const result = await act();
  await change(before);
  return result;
}

/** Open a panel behind a tab, unless it is open. */
export async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.locator(`[data-tab=${name}]`);
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
}

/** Fold out the players' timetable, unless it is. */
export async function openPlayers(page: Page): Promise<void> {
  const chips = page.locator('[data-players]');
  if ((await chips.getAttribute('aria-expanded')) !== 'true') await chips.click();
}

/** Press “Play now” against so many bots. */
export async function playBots(page: Page, edition: string, opponents = 1, level = 'conductor'): Promise<void> {
  await page.locator(`[data-edition=${edition}]`).check();
  await page.locator('[data-opponents]').selectOption(String(opponents));
  await page.locator('[data-level]').selectOption(level);
  await page.locator('[data-play]').click();
  await page.locator('.table').waitFor();
}
