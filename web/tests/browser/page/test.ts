import type { BrowserContext, BrowserContextOptions } from '@playwright/test';
import { expect, SMALL, test as base, type Page } from '../support/test.ts';
import { PlainHost } from './host.ts';

export { expect };
export type { Page };

interface Fixtures {
  /** A host of plain files, with the page on it. */
  host: PlainHost;
  /** A browser with what the page keeps in it; errors in the console of its pages fail the test. */
  visitor: (options?: BrowserContextOptions) => Promise<BrowserContext>;
}

export const test = base.extend<Fixtures>({
  host: async ({}, use) => {
    const host = await PlainHost.start();
    await use(host);
    await host.end();
  },
  visitor: async ({ browser }, use) => {
    const problems: string[] = [];
    const opened: BrowserContext[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ ...SMALL, locale: 'en', reducedMotion: 'reduce', ...options });
      await context.addInitScript(() => {
        if (location.protocol === 'about:') return; // an empty page stores nothing
        const settings = { visited: '1', hold: '0', pace: '0' };
        for (const [key, value] of Object.entries(settings)) localStorage[`ferrovia.${key}`] ??= value;
      });
      context.on('weberror', (error) => problems.push(String(error.error())));
      context.on('console', (said) => said.type() === 'error' && problems.push(said.text()));
      opened.push(context);
      return context;
    });
    for (const context of opened) await context.close();
    expect(problems).toEqual([]);
  },
});

/** Open the page in a new tab. */
export async function visit(context: BrowserContext, host: PlainHost): Promise<Page> {
  const page = await context.newPage();
  await page.goto(host.address);
  return page;
}

/** Wait until the server in the page is there. */
export async function ready(page: Page): Promise<void> {
  await page.locator('[data-page-loading]').waitFor({ state: 'detached', timeout: 120_000 });
}

/** Wait until everything is kept that works without a network. */
export async function allKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(missing), { timeout: 120_000 }).toEqual([]);
}

/** Runs in the page: the files that are not kept. */
async function missing(): Promise<string[]> {
  const worker = await fetch('./service-worker.js').then((answer) => answer.text());
  const files = JSON.parse(/FILES = (\{[^}]*\})/.exec(worker)![1]!) as Record<string, string>;
  const kept = new Set((await (await caches.open('ferrovia-page')).keys()).map(({ url }) => url));
  return Object.entries(files)
    .filter(([name, digest]) => !kept.has(`${new URL(name, document.baseURI).href}?${digest}`))
    .flatMap(([name]) => (name.endsWith('.npz') ? [] : [name]));
}
