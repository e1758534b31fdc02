/**
 * How fast a film opens, steps and jumps: `npm run speed:film`. A five-seat record is dropped on the page ten times, proved
 * by the server and drawn; then every step and some jumps of it are made. Times of the main thread are of its processor, so
 * that a busy machine does not change them; the wall clock is told beside them.
 */
import { test, type Page } from '../../tests/browser/support/test.ts';

const edition = process.env['EDITION'] ?? 'mega-europe';

/** The processor time of the main thread so far, in milliseconds. */
async function worked(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * metrics.find((one) => one.name === 'TaskDuration')!.value;
  };
}

test('how fast a film is', async ({ person, server }) => {
  const page = await person({ viewport: { width: 1280, height: 720 }, settings: {} });
  const record = await page.evaluate(async (name) => {
    const seats = Array.from({ length: 5 }, () => ({ kind: 'bot', bot: 'greedy' }));
    const made = await fetch('api/tables', { method: 'POST', body: JSON.stringify({ edition: name, seats }) });
    const { table } = (await made.json()) as { table: string };
    for (;;) {
      const { status } = (await (await fetch(`api/tables/${table}`)).json()) as { status: string };
      if (status === 'over') return (await fetch(`api/tables/${table}/record`)).text();
      await new Promise((later) => setTimeout(later, 300));
    }
  }, edition);
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
  const opened: { wall: number; main: number }[] = [];
  for (let time = 0; time < 10; time += 1) {
    await page.goto('about:blank');
    await page.goto(`${server.address}#/replay`);
    await page.locator('[data-record-file]').waitFor({ state: 'attached' });
    await page.waitForTimeout(400);
    const spent = await worked(page);
    const before = await spent();
    const wall = await open();
    opened.push({ wall, main: (await spent()) - before });
  }
  const spent = await worked(page);
  const press = (key: string, times: number) =>
    page.evaluate(async ([name, count]) => {
      const frames: number[] = [];
      for (let pressed = 0; pressed < count; pressed += 1) {
        const began = performance.now();
        dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        await new Promise(requestAnimationFrame);
        frames.push(performance.now() - began);
      }
      return frames;
    }, [key, times] as const);
  const steps = await page.locator('[data-line]').last().getAttribute('data-line');
  const times = Math.min(Number(steps), 400);
  let before = await spent();
  await press('ArrowRight', times);
  const step = ((await spent()) - before) / times;
  before = await spent();
  for (let jump = 0; jump < 20; jump += 1) await press(jump % 2 ? 'Home' : 'End', 1);
  const jump = ((await spent()) - before) / 20;
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  const events = record.trim().split('\n').length - 2;
  console.log(`${edition}, five seats: ${events} events, ${steps} steps`);
  console.log(`opened, from the drop to the drawn frame: ${opened.map((one) => `${one.wall.toFixed(0)} ms (${one.main.toFixed(0)} of the main thread)`).join(', ')}`);
  console.log(`median ${median(opened.map((one) => one.wall)).toFixed(0)} ms, best ${Math.min(...opened.map((one) => one.wall)).toFixed(0)} ms`);
  console.log(`a step: ${step.toFixed(1)} ms of the main thread; a jump from end to end: ${jump.toFixed(1)} ms`);
});
