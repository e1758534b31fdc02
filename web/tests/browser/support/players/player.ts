import type { Page } from '../test.ts';

/** Milliseconds between two looks at a page: to look at every frame makes Chromium draw all of them. */
export const POLLING = 40;

/** Where to press next, and what for. */
interface Aim {
  readonly what: string;
  readonly x: number;
  readonly y: number;
}

/** What a player is after, beside claiming the longest route there is and else drawing cards. */
export interface Plan {
  /** Things to do as soon as they can be done, once each. */
  readonly once: readonly ('station' | 'tickets' | 'tunnel' | 'list' | 'take')[];
  /** Moves are held, with the settings `HELD`: one of each of these kinds is taken back and then carried out by a press. */
  readonly back: readonly ('keep' | 'take' | 'claim' | 'station' | 'withdraw' | 'pay')[];
}

/** Settings of a browser in which moves are held until somebody presses, and every payment is asked for. */
export const HELD = { hold: '60000', pace: '0', at_once: '0' } as const;
const BRIEF = '40'; // milliseconds of the holds after those: they are carried out when their time is over

/**
 * Runs in the page: the next thing to press, or null while there is nothing to do. Only what can be
 * seen and lies on top is pressed, where a finger would.
 */
function aim({
  once,
  back,
  passed = false,
}: {
  readonly once: readonly string[];
  readonly back: readonly string[] | null;
  readonly passed?: boolean;
}): Aim | null {
  const table = document.querySelector('.table');
  const held = document.querySelector('[data-hold]')?.getAttribute('data-hold')?.split(' ')[0];
  if (held) {
    if (!back || !document.querySelector('[data-carry-out]')) return null;
    const button = document
      .querySelector(back.includes(held) ? '[data-take-back]' : '[data-carry-out]')!
      .getBoundingClientRect();
    return {
      what: `${back.includes(held) ? 'back' : 'carry'} ${held}`,
      x: button.left + button.width / 2,
      y: button.top + button.height / 2,
    };
  }
  if (!table || table.getAttribute('aria-busy') === 'true') return null;
  if (document.querySelector('.final')) return { what: 'over', x: 0, y: 0 };
  if (!document.querySelector('header.mine')) return passed ? { what: 'passed', x: 0, y: 0 } : null;

  const at = (what: string, found: Element | null | undefined): Aim | null => {
    if (!found) return null;
    if (!(found instanceof SVGElement)) found.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const boxes = [...found.getClientRects()];
    for (const box of boxes) {
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const top = document.elementFromPoint(x, y);
      if (top && (found.contains(top) || top.contains(found))) return { what, x, y };
    }
    return null;
  };
  const one = (selector: string) => document.querySelector(selector);
  const some = (selector: string) => [...document.querySelectorAll(selector)];
  const onTab = (name: string): Aim | null => {
    const tab = one(`[data-tab=${name}]`);
    return tab && tab.getAttribute('aria-expanded') !== 'true' ? at('tab', tab) : null;
  };

  if (one('[data-keep]')) {
    return at('keep', one('[data-keep]:enabled')) ?? at('ticket', one('.dock .ticket[aria-pressed=false]'));
  }
  if (one('[data-withdraw]')) return at('tunnel', one('.dock [data-pay]')) ?? at('withdraw', one('[data-withdraw]'));
  if (one('[data-pass]')) return at('pass', one('[data-pass]'));
  if (one('.dock [data-pay]')) return at(one('[data-payment=city]') ? 'station' : 'claim', one('.dock [data-pay]'));
  if (one('[data-draw-tickets]')) return at('tickets', one('[data-draw-tickets]'));

  // The list was for once: the tickets are what one looks at.
  if (!once.includes('list') && one('[data-tab=routes][aria-expanded=true]')) return onTab('tickets');

  const site = some('[data-city][data-site] .site');
  if (site.length) return site.map((place) => at('site', place)).find((found) => found !== null) ?? null;
  const free = '[aria-disabled=false]';
  if (once.includes('station') && one(`[data-station]${free}`)) return at('build', one(`[data-station]${free}`));
  if (once.includes('tickets') && one(`[data-tickets]${free}`)) return at('ask', one(`[data-tickets]${free}`));

  const length = (route: Element) => route.querySelectorAll('.space').length;
  const routes = some('[data-route][data-open]').sort((a, b) => length(b) - length(a));
  const tunnels = routes.filter((route) => route.querySelector('.portal'));
  const wanted = once.includes('tunnel') && tunnels.length ? tunnels : routes;
  if (wanted.length && once.includes('list')) {
    const listed = one(`[data-list-route="${wanted[0]!.getAttribute('data-route')}"]`);
    return listed ? at('list', listed) : onTab('routes');
  }
  for (const route of wanted) {
    for (const space of route.querySelectorAll('.space')) {
      const found = at('route', space);
      if (found) return found;
    }
  }
  if (once.includes('take') && one(`[data-take]${free}`)) return at('take', one(`[data-take]${free}`));
  return (
    at('draw', one(`[data-draw]${free}`)) ??
    at('take', one(`[data-take]${free}`)) ??
    at('ask', one(`[data-tickets]${free}`))
  );
}

/** A player who presses what is on the screen, by mouse or finger, and nothing else. */
export class Player {
  readonly page: Page;
  readonly done: Record<string, number> = {};
  readonly #once: Set<string>;
  /** Kinds of moves to take back, and to carry out by a press; null when holds end by themselves. */
  #back: Set<string> | null;
  readonly #carry: Set<string>;
  readonly #touch: boolean;

  constructor(page: Page, plan: Partial<Plan> = {}, touch = false) {
    this.page = page;
    this.#once = new Set(plan.once ?? []);
    this.#back = plan.back ? new Set(plan.back) : null;
    this.#carry = new Set(plan.back ?? []);
    this.#touch = touch;
  }

  /** Wait until there is something to press; or, if that is wanted, until the turn has `passed` to somebody else. */
  async ready(passed = false): Promise<Aim> {
    const handle = await this.page.waitForFunction(
      aim,
      { once: [...this.#once], back: this.#back && [...this.#back], passed },
      { timeout: 120_000, polling: POLLING },
    );
    return (await handle.jsonValue()) as Aim;
  }

  /** Press the next thing as soon as there is one, and return what it was: `over` at the end. */
  async press(aim?: Aim): Promise<string> {
    const { what, x, y } = aim ?? (await this.ready());
    if (what === 'over') return what;
    if (this.#touch) await this.page.touchscreen.tap(x, y);
    else await this.page.mouse.click(x, y);
    this.done[what] = (this.done[what] ?? 0) + 1;
    this.#once.delete(what === 'withdraw' ? 'tunnel' : what);
    await this.#noteHold(what);
    return what;
  }

  async #noteHold(what: string): Promise<void> {
    const [did, kind] = what.split(' ');
    if (!this.#back || !kind) return;
    if (did === 'back') this.#back.delete(kind);
    else this.#carry.delete(kind);
    // It is gone before the next one can be aimed at.
    await this.page.waitForFunction(() => !document.querySelector('[data-carry-out]'), undefined, { polling: POLLING });
    if (this.#carry.size > 0) return;
    this.#back = null;
    await this.page.evaluate((brief) => (localStorage['ferrovia.hold'] = brief), BRIEF);
  }

  /** Wait for one's turn and play it to its end; return whether the game is over. */
  async turn(): Promise<boolean> {
    let next = await this.ready();
    while (next.what !== 'over' && next.what !== 'passed') {
      await this.press(next);
      next = await this.ready(true);
    }
    return next.what === 'over';
  }

  /** Play to the final score. `each` is called whenever there is something to press; it returns whether it has changed the page. */
  async playOut(each?: () => Promise<boolean>): Promise<void> {
    for (let what = ''; what !== 'over';) {
      const aim = await this.ready();
      const changed = each ? await each() : false;
      what = await this.press(changed ? undefined : aim);
    }
  }
}
