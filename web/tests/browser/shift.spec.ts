/** Nothing on the page moves by itself during a whole game. */
import { POLLING } from './support/player.ts';
import { expect, playBots, SIZES, test } from './support/test.ts';

/**
 * Runs in the page: press the next thing by script. No input of the browser is involved, so every shift counts, also
 * those that follow a press and that the usual measure forgives.
 */
function press(): boolean {
  const one = (selector: string) => document.querySelector<HTMLElement>(selector);
  if (one('.final')) return true;
  if (!one('header.mine') || one('.table[aria-busy=true]')) return false;
  const free = '[aria-disabled=false]';
  const next = [
    '[data-keep]:enabled', '.dock .ticket[aria-pressed=false]', '.dock [data-pay]', '[data-withdraw]', '[data-pass]', '[data-draw-tickets]',
    '[data-route][data-open]', `[data-draw]${free}`, `[data-take]${free}`, `[data-tickets]${free}`,
  ].find((selector) => one(selector));
  if (next) one(next)!.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 }));
  return false;
}

for (const { width, height } of [SIZES[0], SIZES[1], SIZES[4]]) {
  test(`no layout shift over a whole game at ${width}×${height}`, async ({ person }) => {
    const page = await person({ viewport: { width, height } });
    await playBots(page, 'europe', 2);
    await page.locator('[data-keep]').waitFor();
    await page.evaluate(async () => {
      await document.fonts.ready;
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      const shifts: { at: number; value: number; what: string }[] = [];
      Object.assign(globalThis, { shifts });
      type Shift = PerformanceEntry & { value: number; sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[] };
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as Shift[]) {
          const what = entry.sources.map(({ node, previousRect: a, currentRect: b }) =>
            `${node?.nodeName}.${node?.getAttribute?.('class')} ${a.x},${a.y},${a.width},${a.height} to ${b.x},${b.y},${b.width},${b.height}`).join('; ');
          shifts.push({ at: entry.startTime, value: entry.value, what });
        }
      }).observe({ type: 'layout-shift', buffered: false });
    });
    await page.waitForFunction(press, undefined, { timeout: 300_000, polling: 2 * POLLING });
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: { at: number; value: number; what: string }[] }).shifts);
    // The largest window of up to five seconds without a pause of one: what CLS is.
    let [most, sum, start, last] = [0, 0, -Infinity, -Infinity];
    for (const { at, value } of shifts) {
      if (at - last > 1_000 || at - start > 5_000) [sum, start] = [0, at];
      [sum, last] = [sum + value, at];
      most = Math.max(most, sum);
    }
    console.log(`${width}×${height}: CLS ${most.toFixed(4)} in ${shifts.length} shifts`);
    const worst = [...shifts].sort((a, b) => b.value - a.value).slice(0, 4).map(({ value, what }) => `${value.toFixed(4)} ${what}`);
    expect(most, worst.join('\n')).toBeLessThanOrEqual(0.02);
  });
}
