/** The geometry of the map: how much of the window it has, and whether everything on it has its name. */
import { expect, type Page } from './test.ts';

/** The least share of the window that the box around all names of cities covers, in hundredths; and the least size of a space, in pixels. */
const LEAST: Readonly<Record<number, { readonly share: number; readonly space: number }>> = {
  360: { share: 24, space: 6 },
  740: { share: 50, space: 8.5 },
  768: { share: 36, space: 12 },
  1024: { share: 55, space: 16 },
  1280: { share: 55, space: 16 },
  1440: { share: 57, space: 19 },
  1920: { share: 63, space: 26 },
};

/** Runs in the page: the box around all names, how many there are and of what size, a space, where the map is, and the cards in sight. */
export function measure() {
  const names = [...document.querySelectorAll('text[data-name]')].map((one) => one.getBoundingClientRect());
  const left = Math.min(...names.map((box) => box.left));
  const right = Math.max(...names.map((box) => box.right));
  const top = Math.min(...names.map((box) => box.top));
  const bottom = Math.max(...names.map((box) => box.bottom));
  const sheet = document.querySelector('.sheet')!.getBoundingClientRect();
  const round = (value: number) => Math.round(value * 10) / 10;
  const at = (one: Element) => {
    const box = one.getBoundingClientRect();
    return document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  };
  const covered = [...document.querySelectorAll('[data-city] .dot')].filter((dot) => !at(dot)?.closest('main'));
  const scale = sheet.width / Number(document.querySelector('.pieces')!.getAttribute('viewBox')!.split(' ')[2]);
  return {
    share: (100 * (right - left) * (bottom - top)) / (innerWidth * innerHeight),
    names: names.length,
    letters: Math.min(...names.map((box) => box.height)),
    space: 23 * scale,
    sheet: [sheet.left, sheet.top, sheet.width, sheet.height].map(round),
    covered: covered.map((dot) => dot.closest('[data-city]')!.getAttribute('data-city')),
    outside: left < 0 || top < 0 || right > innerWidth || bottom > innerHeight,
    cards: [...document.querySelectorAll('[data-take]')].filter((one) => one.contains(at(one))).length,
  };
}

/** Change the size of the window, and wait until everything has found its place. */
export async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });
}

/** What the map must keep at every size, over all states of a game. */
export class MapKept {
  readonly #page: Page;
  readonly #cities: number;
  readonly #still = new Map<number, unknown>();

  constructor(page: Page, cities: number) {
    this.#page = page;
    this.#cities = cities;
  }

  /** The map has its room in the window as it is now, every city its name, the open cards are in sight, and nothing has moved it. */
  async expect(state: string, width: number): Promise<void> {
    const found = await this.#page.evaluate(measure);
    const where = `${state}, ${width} px`;
    expect.soft(found.share, `share, ${where}`).toBeGreaterThanOrEqual(LEAST[width]!.share);
    expect.soft(found.space, `space, ${where}`).toBeGreaterThanOrEqual(LEAST[width]!.space);
    expect.soft(found.names, `names, ${where}`).toBe(this.#cities);
    expect.soft(found.letters, `letters, ${where}`).toBeGreaterThanOrEqual(9);
    expect.soft(found.outside, `inside, ${where}`).toBe(false);
    expect.soft(found.cards, `face-up cards in sight, ${where}`).toBe(5);
    if (!this.#still.has(width)) this.#still.set(width, found.sheet);
    expect.soft(found.sheet, `the map stays, ${where}`).toEqual(this.#still.get(width));
    if (state === 'turn') expect.soft(found.covered, `no city is covered, ${where}`).toEqual([]);
  }
}
