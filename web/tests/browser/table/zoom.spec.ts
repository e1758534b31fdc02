/** Zooming, dragging and pointing cost next to nothing: what a step makes the browser do, and how long that takes here. */
import { Player } from '../support/players/player.ts';
import { expect, playBots, SIZES, test } from '../support/test.ts';

const STEPS = 60;

/** Runs in the page: turn the wheel over the map, a step a frame, so that it does not come to rest. */
async function turnWheel({ steps, x, y }: { steps: number; x: number; y: number }): Promise<void> {
  const map = document.querySelector('.window')!;
  for (let step = 0; step < steps; step += 1) {
    map.dispatchEvent(
      new WheelEvent('wheel', {
        bubbles: true,
        cancelable: true,
        clientX: x,
        clientY: y,
        deltaY: step % 20 < 10 ? -60 : 60,
      }),
    );
    await new Promise(requestAnimationFrame);
  }
}

/** Runs in the page: while it is `awake` the map does not come to rest: on a busy machine a frame may take longer than that. */
function wakeable(): void {
  const later = globalThis.setTimeout;
  const page = globalThis as unknown as { awake: boolean; setTimeout: unknown };
  page.awake = false;
  page.setTimeout = (act: () => void, time = 0) => (page.awake && time === 220 ? 0 : later(act, time)); // REST of pane.svelte.ts
}

interface TraceEvent {
  readonly name: string;
  readonly dur?: number;
  readonly args?: { readonly elementCount?: number };
}

for (const { width, height } of [SIZES[0], SIZES[5]]) {
  test(`a zoom step changes one style and nothing else at ${width} px`, async ({ person, browser }) => {
    const page = await person({ viewport: { width, height }, drawn: true });
    await playBots(page, 'europe', 2);
    const player = new Player(page);
    while ((await player.press()) !== 'claim');
    await player.ready();
    const at = await page.locator('[data-city=wien] .dot').evaluate((dot) => {
      const { x, y } = dot.getBoundingClientRect();
      return { x: x + 20, y: y + 12 };
    });
    await page.evaluate(wakeable);
    const keepAwake = (on: boolean) => page.evaluate((awake) => void Object.assign(globalThis, { awake }), on);
    const rested = async () => {
      await expect(page.locator('.window')).not.toHaveClass(/moving/);
      await page.evaluate(async () => {
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame); // styled and drawn, too
      });
      await keepAwake(true);
    };
    await page.evaluate(turnWheel, { steps: 5, ...at });

    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' }); // of this thread alone, whatever else the machine does
    const spent = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name: string) => metrics.find((metric) => metric.name === name)!.value * 1000;
      return {
        task: of('TaskDuration'),
        style: of('RecalcStyleDuration'),
        layout: of('LayoutDuration'),
        script: of('ScriptDuration'),
      };
    };
    const cost = async (what: string, act: () => Promise<void>) => {
      const before = await spent();
      await act();
      const after = await spent();
      const each = (part: keyof typeof before) => ((after[part] - before[part]) / STEPS).toFixed(2);
      console.log(
        `${width} px, ${what}: ${each('task')} ms of main thread for a step (script ${each('script')}, style ${each('style')}, layout ${each('layout')})`,
      );
    };
    /** The mouse goes over the map, in a wave so that it meets many routes and cities. */
    const wave = async () => {
      for (let step = 0; step < STEPS; step += 1)
        await page.mouse.move(at.x + 100 * Math.sin(step / 9), at.y + 60 * Math.sin(step / 5));
    };
    await cost('zooming', () => page.evaluate(turnWheel, { steps: STEPS, ...at }));
    await page.locator('.buttons button').first().click(); // so that there is something to drag
    await cost('pointing', wave);
    await page.mouse.down();
    await cost('dragging', wave);
    await page.mouse.up();
    await page.locator('.buttons button').last().click();

    // What was made for the old size is made anew at rest, before anything is observed.
    await rested();
    await browser.startTracing(page, { categories: ['devtools.timeline'] });
    await page.evaluate(() => {
      const changed: string[] = [];
      const observer = new MutationObserver((list) => {
        for (const { target, type, attributeName } of list) {
          changed.push(`${(target as Element).getAttribute?.('class')?.split(' ')[0]} ${type} ${attributeName}`);
        }
      });
      observer.observe(document.querySelector('.map')!, {
        subtree: true,
        attributes: true,
        childList: true,
        characterData: true,
      });
      Object.assign(globalThis, { changed });
    });
    await page.evaluate(turnWheel, { steps: STEPS, ...at });
    const events = (JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }).traceEvents;
    const recalculated = events
      .filter((event) => event.name === 'UpdateLayoutTree')
      .map((event) => event.args?.elementCount ?? 0);

    const changed = await page.evaluate(() => (globalThis as unknown as { changed: string[] }).changed);
    expect([...new Set(changed)].filter((one) => !/^(sheet|window) attributes (style|class)$/.test(one))).toEqual([]);
    expect(recalculated.length).toBeGreaterThan(0);
    // The sheet, the pane around it, and what hovers: not two thousand shapes.
    expect(Math.max(...recalculated)).toBeLessThan(60);

    // Nor does pointing at something, or dragging the map.
    await keepAwake(false);
    await page.locator('.buttons button').first().click();
    await rested();
    for (const drags of [false, true]) {
      await page.mouse.move(at.x, at.y);
      if (drags) await page.mouse.down();
      await browser.startTracing(page, { categories: ['devtools.timeline'] });
      await wave();
      const found = (JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }).traceEvents;
      if (drags) await page.mouse.up();
      const counts = found
        .filter((event) => event.name === 'UpdateLayoutTree')
        .map((event) => event.args?.elementCount ?? 0);
      expect(counts.length).toBeGreaterThan(0);
      // What is pointed at is emphasised and named, and no longer where a drag begins: a small part of two thousand shapes.
      expect(Math.max(...counts), drags ? 'dragging' : 'pointing').toBeLessThan(250);
    }
  });
}
