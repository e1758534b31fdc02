/** A game of cardboard, counted: by touch on a phone to the score that the rules give, taken back, kept, and by two people at once. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expectAccessible, expectClear } from './support/checks.ts';
import { ENVIRONMENT, PYTHON } from './support/server/server.ts';
import { expect, sized, test, WIDTHS, type Page } from './support/test.ts';

const FILE = fileURLToPath(new URL('support/five_players.txt', import.meta.url));
const seats = [...readFileSync(FILE, 'utf8').matchAll(/^seat \d: (.*)$/gm)].map((line) => {
  const part = (name: string) =>
    (new RegExp(`${name} ([^|]*)`).exec(line[1]!)?.[1] ?? '').trim().split(' ').filter(Boolean);
  return { routes: part('routes'), stations: part('stations'), tickets: part('tickets') };
});
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, drawn: true };

test('five players are counted by touch, to the point, in a hundred and fifty presses', async ({ person, server }) => {
  const page = await person(phone, `${server.address}#/count`);
  let presses = 0;
  const tap = async (selector: string) => {
    await page.locator(selector).first().tap();
    presses += 1;
  };
  /** A finger on the map: the middle of a route's spaces, or of a city. */
  const tapMap = async (kind: 'route' | 'city', id: string) => {
    const at = await page.locator(`[data-${kind}="${id}"]`).evaluate((piece, of) => {
      const parts = [...piece.querySelectorAll(of === 'route' ? 'rect, path, use' : '.dot')].map((one) =>
        one.getBoundingClientRect(),
      );
      const boxes = parts.filter((box) => box.width > 0);
      const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
      return {
        x: mean(boxes.map((box) => box.x + box.width / 2)),
        y: mean(boxes.map((box) => box.y + box.height / 2)),
      };
    }, kind);
    await page.touchscreen.tap(at.x, at.y);
    presses += 1;
  };
  await page.locator('[data-count-players]').selectOption('5');
  presses += 2;
  await tap('[data-count-begin]');
  for (const [seat, { routes, stations }] of seats.entries()) {
    await tap(`[data-count-seat="${seat}"]`);
    for (const route of routes) await tapMap('route', route);
    for (const city of stations) await tapMap('city', city);
  }
  await tap('[data-count-tab=tickets]');
  for (const [seat, { tickets }] of seats.entries()) {
    await tap(`[data-count-seat="${seat}"]`);
    for (const ticket of tickets) {
      const ends = ticket.split(':')[1]!.split('-');
      await tapMap('city', ends[0]!);
      await tapMap('city', ends[1]!);
    }
  }
  await tap('[data-count-tab=score]');
  const said = execFileSync(PYTHON, ['-m', 'ferrovia', 'score', FILE, '--json'], {
    env: ENVIRONMENT,
    encoding: 'utf8',
  });
  const { scores } = (JSON.parse(said) as { result: { scores: { total: number }[] } }).result;
  for (const [seat, { total }] of scores.entries())
    await expect(page.locator(`[data-count-score="${seat}"] .total`)).toHaveText(String(total));
  await expect(page.locator('[data-count-misfits]')).toHaveCount(0);
  console.log(`a game of five was counted with ${presses} presses`);
  expect(presses).toBeLessThan(150);

  // It is there after the page was closed, and every press can be taken back.
  await page.reload();
  await page.locator('[data-count-tab=score]').tap();
  await expect(page.locator('[data-count-score="0"] .total')).toHaveText(String(scores[0]!.total));
  await page.locator('[data-count-keep]').tap();
  await page.goto(`${server.address}#/games`);
  await page.locator('[data-game^=count-]').tap();
  await page.locator('[data-count-tab=score]').tap();
  await expect(page.locator('[data-count-score="0"] .total')).toHaveText(String(scores[0]!.total));
  const picture = page.waitForEvent('download');
  await page.getByRole('button', { name: 'SVG' }).tap();
  expect((await picture).suggestedFilename()).toBe('ferrovia-europe.svg');
});

const route = (page: Page, id: string) => page.locator(`[data-route="${id}"]`);

test('what cannot lie on a table is said, and presses are taken back; by the lists alone', async ({
  person,
  server,
}) => {
  const page = await person({}, `${server.address}#/count`);
  await page.locator('[data-count-players]').selectOption('3');
  await page.locator('[data-count-begin]').click();
  const find = page.locator('[data-count-find]');
  const add = async (letters: string, id: string) => {
    await find.fill(letters);
    await page.locator(`[data-count-add="${id}"]`).click();
  };
  await add('par zur', 'paris-zurich');
  await add('edin', 'edinburgh-london');
  await page.locator('[data-count-seat="1"]').click();
  await add('edin lond', 'edinburgh-london-2'); // closed to everybody with three players
  await expect(page.locator('[data-count-misfits]')).toContainText('double');
  await page.locator('[data-count-undo]').click();
  await expect(page.locator('[data-count-misfits]')).toHaveCount(0);
  await expect(route(page, 'edinburgh-london-2')).not.toHaveAttribute('data-owner');
  await expect(route(page, 'edinburgh-london')).toHaveAttribute('data-owner', '0');
  for (const tab of ['pieces', 'tickets', 'score'])
    for (const width of WIDTHS) {
      await page.locator(`[data-count-tab=${tab}]`).click();
      await page.setViewportSize(sized(width));
      await expectClear(page, `count ${tab}, ${width} px`);
      await expectAccessible(page, `count ${tab}, ${width} px`);
    }
  await page.locator('[data-count-finale]').click();
  await expect(page.locator('[data-finale]')).toBeVisible();
});

test('a phone that is turned has its layout before any script hears of it', async ({ person, server }) => {
  const page = await person({ viewport: sized(360) }, `${server.address}#/count`);
  await page.addInitScript(() => Object.defineProperty(globalThis, 'innerWidth', { get: () => 1440 }));
  await page.reload();
  await page.locator('[data-count-players]').selectOption('5');
  await page.locator('[data-count-begin]').click();
  await page.locator('[data-count-find]').fill('par zur');
  await page.locator('[data-count-add="paris-zurich"]').click();
  await expectClear(page, 'a count of five, 360 px');
});

test('two people enter the same game on two devices', async ({ person, server }) => {
  const one = await person({}, `${server.address}#/count`);
  await one.locator('[data-count-begin]').click();
  await one.locator('[data-count-find]').fill('paris zur');
  await one.locator('[data-count-add="paris-zurich"]').click();
  await one.locator('[data-count-tab=score]').click();
  await one.locator('[data-count-share]').click();
  const other = await person({}, await one.locator('[data-count-link]').inputValue());
  await expect(route(other, 'paris-zurich')).toHaveAttribute('data-owner', '0');
  await other.locator('[data-count-seat="1"]').click();
  await other.locator('[data-count-find]').fill('munch wien');
  await other.locator('[data-count-add="munchen-wien"]').click();
  await expect(route(one, 'munchen-wien')).toHaveAttribute('data-owner', '1');
  await other.locator('[data-count-undo]').click();
  await expect(route(one, 'munchen-wien')).not.toHaveAttribute('data-owner');
});
