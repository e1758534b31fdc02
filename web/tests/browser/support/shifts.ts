/** Layout shifts: what moves on a page by itself. */
import { expect, type Page } from './test.ts';

interface Shift {
  readonly at: number;
  readonly value: number;
  readonly what: string;
}

const MOST = 0.02;

/** Note every shift from now on, also those that follow a press and that the usual measure forgives. */
export async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const shifts: Shift[] = [];
    Object.assign(globalThis, { shifts });
    type Entry = PerformanceEntry & {
      value: number;
      sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[]) {
        const what = entry.sources
          .map(
            ({ node, previousRect: a, currentRect: b }) =>
              `${node?.nodeName}.${node?.getAttribute?.('class')} ${a.x},${a.y},${a.width},${a.height} to ${b.x},${b.y},${b.width},${b.height}`,
          )
          .join('; ');
        shifts.push({ at: entry.startTime, value: entry.value, what });
      }
    }).observe({ type: 'layout-shift', buffered: false });
  });
}

/** Nothing has moved since: the largest window of up to five seconds without a pause of one, which is what CLS is. */
export async function expectStill(page: Page, where: string): Promise<void> {
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
  let [most, sum, start, last] = [0, 0, -Infinity, -Infinity];
  for (const { at, value } of shifts) {
    if (at - last > 1_000 || at - start > 5_000) [sum, start] = [0, at];
    [sum, last] = [sum + value, at];
    most = Math.max(most, sum);
  }
  console.log(`${where}: CLS ${most.toFixed(4)} in ${shifts.length} shifts`);
  const worst = [...shifts]
    .sort((a, b) => b.value - a.value)
    .slice(0, 4)
    .map(({ value, what }) => `${value.toFixed(4)} ${what}`);
  expect(most, worst.join('\n')).toBeLessThanOrEqual(MOST);
}
