import { POLLING } from './player.ts';
import type { Page } from '../test.ts';

interface Aim {
  readonly what: string;
  readonly selector: string;
}

/** Runs in the page: what somebody with a phone at a table for the room presses next; null while others play. */
function aim(once: readonly string[]): Aim | null {
  const has = (selector: string) => document.querySelector(selector) !== null;
  if (has('.table[aria-busy=true]')) return null;
  if (has('.final')) return { what: 'over', selector: '' };
  if (!has('header.mine')) return null;
  const free = '[aria-disabled=false]';
  const wanted: readonly (readonly [string, string])[] = [
    ['keep', '[data-keep]:enabled'],
    ['ticket', '.dock .ticket[aria-pressed=false]'],
    ['pay', '.dock [data-pay]'],
    ['withdraw', '[data-withdraw]'],
    ['pass', '[data-pass]'],
    ['tickets', '[data-draw-tickets]'],
    // Of a ticket first, then of the others that can be paid, on the map where that was asked for.
    ...(once.includes('cut')
      ? ([
          ['cut', '[data-ticket]:has(.open) [data-cut]'],
          ['on the map', '[data-route][data-open]'],
        ] as const)
      : ([['tab', '[data-phone] [data-tab=tickets][aria-selected=false]']] as const)),
    ['route', '[data-ticket] [data-list-route].open'],
    ['other route', '[data-list-route].open'],
    ...(once.includes('ask') ? ([['ask', `[data-tickets]${free}`]] as const) : []),
    ['draw', `[data-draw]${free}`],
    ['take', `[data-take]${free}`],
    ['ask', `[data-tickets]${free}`],
  ];
  const seen = (selector: string) =>
    [...document.querySelectorAll(selector)].some((one) => one.checkVisibility({ visibilityProperty: true }));
  const [what, selector] = wanted.find(([, one]) => seen(one)) ?? [];
  return what && selector ? { what, selector } : null;
}

/** Somebody with a phone at a table for the room, who chooses routes from the list of tickets, or once on a cut of the map. */
export class PhonePlayer {
  readonly page: Page;
  readonly done: Record<string, number> = {};
  readonly #once: Set<string>;

  constructor(page: Page, once: readonly ('cut' | 'ask')[] = []) {
    this.page = page;
    this.#once = new Set(once);
  }

  /** Wait until there is something to press. */
  async ready(): Promise<Aim> {
    const handle = await this.page.waitForFunction(aim, [...this.#once], { timeout: 400_000, polling: POLLING });
    return (await handle.jsonValue()) as Aim;
  }

  async press(): Promise<string> {
    const { what, selector } = await this.ready();
    if (what === 'over') return what;
    if (what === 'on the map') await this.#pressSpace();
    else await this.page.locator(selector).locator('visible=true').first().click();
    this.done[what] = (this.done[what] ?? 0) + 1;
    if (what !== 'cut') this.#once.delete(what === 'on the map' ? 'cut' : what);
    return what;
  }

  /** Press a space of a route that can be claimed, where a finger would. */
  async #pressSpace(): Promise<void> {
    const at = await this.page.evaluate(() => {
      for (const space of document.querySelectorAll('[data-route][data-open] .space')) {
        const { left, right, top, bottom } = space.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        if (document.elementFromPoint(x, y)?.closest('main')) return { x, y };
      }
      return null;
    });
    if (!at) throw new Error('no route of the cut can be pressed');
    await this.page.mouse.click(at.x, at.y);
  }
}
