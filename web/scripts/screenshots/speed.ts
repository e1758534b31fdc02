/**
 * How fast a film opens, steps and jumps: `npm run speed:film`. A five-seat record is dropped on the page ten times, proved
 * by the server and drawn; then every step and some jumps of it are made. Times of the main thread are of its processor, so
 * that a busy machine does not change them; the wall clock is told beside them. `BOT=random` plays longer games, and
 * `RECORD=file` takes a record of one's own.
 */
import { readFileSync } from 'node:fs';
import { botGame } from '../../tests/browser/support/players/quick_game.ts';
import { test, type Page } from '../../tests/browser/support/test.ts';

const edition = process.env['EDITION'] ?? 'mega-europe';
const bot = process.env['BOT'] ?? 'greedy';
const file = process.env['RECORD'];

const KINDS = {
  script: 'ScriptDuration',
  style: 'RecalcStyleDuration',
  layout: 'LayoutDuration',
  all: 'TaskDuration',
} as const;
type Spent = Record<keyof typeof KINDS, number>;

/** The processor time of the main thread so far, in milliseconds: in all, and what of it were scripts, styles and layout. */
async function worked(page: Page): Promise<() => Promise<Spent>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name: string) => 1000 * metrics.find((one) => one.name === name)!.value;
    return Object.fromEntries(Object.entries(KINDS).map(([kind, name]) => [kind, of(name)])) as Spent;
  };
}

const between = (before: Spent, after: Spent, times = 1): Spent =>
  Object.fromEntries(
    Object.keys(KINDS).map((kind) => [kind, (after[kind as keyof Spent] - before[kind as keyof Spent]) / times]),
  ) as Spent;
const told = ({ all, script, style, layout }: Spent): string =>
  `${all.toFixed(1)} ms of the main thread (scripts ${script.toFixed(1)}, styles ${style.toFixed(1)}, layout ${layout.toFixed(1)})`;

test('how fast a film is', async ({ person, server }) => {
  const page = await person({ viewport: { width: 1280, height: 720 }, settings: {} });
  const played = async () => {
    const table = await botGame(page, edition, Array<string>(5).fill(bot));
    return page.evaluate(async (id) => (await fetch(`api/tables/${id}/record`)).text(), table);
  };
  const record = file ? readFileSync(file, 'utf8') : await played();
  const open = () =>
    page.evaluate(async (text) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([text], 'game.jsonl'));
      const began = performance.now();
      dispatchEvent(new DragEvent('drop', { dataTransfer: dropped }));
      while (!document.querySelector('.film .map svg [data-route]')) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return performance.now() - began;
    }, record);
  const opened: { wall: number; main: Spent }[] = [];
  for (let time = 0; time < 10; time += 1) {
    await page.goto('about:blank');
    await page.goto(`${server.address}#/replay`);
    await page.locator('[data-record-file]').waitFor({ state: 'attached' });
    await page.waitForTimeout(400);
    const spent = await worked(page);
    const before = await spent();
    const wall = await open();
    opened.push({ wall, main: between(before, await spent()) });
  }
  const spent = await worked(page);
  // All in one script: asking the page for each press would cost its main thread a millisecond.
  const press = (times: number, ...keys: string[]) =>
    page.evaluate(
      async ([count, names]) => {
        for (let pressed = 0; pressed < count; pressed += 1) {
          dispatchEvent(new KeyboardEvent('keydown', { key: names[pressed % names.length]!, bubbles: true }));
          await new Promise(requestAnimationFrame);
        }
      },
      [times, keys] as const,
    );
  await page.waitForTimeout(3_000); // the rest of the log is drawn when nothing else is to be done
  const steps = Number(await page.locator('[data-timeline]').getAttribute('max'));
  const times = Math.min(steps, 400);
  let before = await spent();
  await press(times, 'ArrowRight');
  const step = between(before, await spent(), times);
  before = await spent();
  await press(20, 'Home', 'End');
  const jump = between(before, await spent(), 20);
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  const events = record.trim().split('\n').length - 2;
  console.log(`${file ?? `${edition}, five seats`}: ${events} events, ${steps} steps`);
  console.log(
    `opened, from the drop to the drawn frame: ${opened.map((one) => `${one.wall.toFixed(0)} ms, ${told(one.main)}`).join('; ')}`,
  );
  console.log(
    `median ${median(opened.map((one) => one.wall)).toFixed(0)} ms, ${median(opened.map((one) => one.main.all)).toFixed(0)} of the main thread; best ${Math.min(...opened.map((one) => one.wall)).toFixed(0)} ms`,
  );
  console.log(`a step: ${told(step)}`);
  console.log(`a jump from end to end: ${told(jump)}`);
});
