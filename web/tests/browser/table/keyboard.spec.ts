/** A whole game with the keyboard alone, with moves that are held, taken back and carried out; the focus is never lost. */
import { proveRecord } from '../support/checks.ts';
import { HELD, POLLING } from '../support/players/player.ts';
import { expect, sized, test, type Page } from '../support/test.ts';

/** Runs in the page: how many stops it is to one that matches, forwards, or backwards where that is nearer; null where none is. */
function stops(wanted: string): number | null {
  const here = document.activeElement;
  if (here?.matches(wanted)) return 0;
  const all = [
    ...document.querySelectorAll<HTMLElement | SVGElement>('a[href], button, input, select, summary, [tabindex]'),
  ].filter(
    (one) =>
      one === here ||
      (one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true })),
  );
  const at = all.indexOf(here as HTMLElement);
  const after = all.findIndex((one, place) => place > at && one.matches(wanted));
  const before = all.findLastIndex((one, place) => place < at && one.matches(wanted));
  if (after < 0 && before < 0) return null;
  return before < 0 || (after >= 0 && after - at <= at - before) ? after - at : before - at;
}

/** Press Tab, or Shift and Tab, until the focus is on a stop that matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let tries = 0; tries < 30; tries += 1) {
    const count = await page.evaluate(stops, selector);
    if (count === 0) return;
    // One step at a time where the page knows no way, as at the end of the document.
    const key = count !== null && count < 0 ? 'Shift+Tab' : 'Tab';
    for (let pressed = 0; pressed < Math.abs(count ?? 1); pressed += 1) await page.keyboard.press(key);
  }
  throw new Error(`the keyboard cannot reach ${selector}`);
}

async function enter(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

async function expectFocus(page: Page, after: string): Promise<void> {
  expect(await page.evaluate(() => document.activeElement !== document.body), after).toBe(true);
}

/** Runs in the page: where to go with the keyboard next. */
function next(once: readonly string[]): string | null {
  const has = (selector: string) => document.querySelector(selector) !== null;
  const held = document.querySelector('[data-hold]')?.getAttribute('data-hold')?.split(' ')[0];
  if (held) return has('[data-carry-out]') ? `held ${held}` : null;
  if (has('.table[aria-busy=true]')) return null;
  if (has('.final')) return 'over';
  if (!has('header.mine')) return null;
  const free = '[aria-disabled=false]';
  const wanted = [
    '[data-keep]:enabled',
    '.dock .ticket[aria-pressed=false]',
    '.dock [data-pay]',
    '[data-withdraw]',
    '[data-pass]',
    '[data-draw-tickets]',
    '[data-city][data-site]',
    ...once.map((one) => `${one}${free}`),
    '[data-route][data-open]',
    `[data-draw]${free}`,
    `[data-take]${free}`,
    `[data-tickets]${free}`,
  ];
  return wanted.find(has) ?? null;
}

test('a whole game without a mouse', async ({ person, replay }) => {
  const page = await person({ viewport: sized(1280), settings: HELD });
  await tabTo(page, '[data-edition]');
  for (let pressed = 0; !(await page.locator('[data-edition=portugal]').isChecked()); pressed += 1) {
    expect(pressed).toBeLessThan(10);
    await page.keyboard.press('ArrowDown');
  }
  await tabTo(page, '[data-level]');
  await page.keyboard.type('greedy');
  await tabTo(page, '[data-opponents]');
  await page.keyboard.press('Home');
  await enter(page, '[data-play]');
  await page.locator('[data-keep]').waitFor();
  const once = ['[data-station]', '[data-tickets]'];
  const done = new Set<string>();
  const back = new Set(['keep', 'claim', 'station']); // to be taken back, once each
  const carry = new Set(back); // and carried out; afterwards holds end by themselves
  for (;;) {
    const handle = await page.waitForFunction(next, once, { timeout: 120_000, polling: POLLING });
    const wanted = (await handle.jsonValue())!;
    await expectFocus(page, `before ${wanted}`);
    if (wanted === 'over') break;
    if (wanted.startsWith('held')) {
      const kind = wanted.split(' ')[1]!;
      if (carry.size === 0) await page.locator('[data-hold]').waitFor({ state: 'detached' });
      else if (back.delete(kind)) await page.keyboard.press('Escape');
      else {
        await enter(page, '[data-carry-out]');
        carry.delete(kind);
        if (carry.size === 0) await page.evaluate(() => (localStorage['ferrovia.hold'] = '40'));
      }
      await page.locator('[data-carry-out]').waitFor({ state: 'detached' });
      continue;
    }
    // On the map one stop leads to all cities: arrows find those where a station can be built.
    if (wanted.startsWith('[data-city]')) {
      await tabTo(page, '[data-city]');
      for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp']) {
        if (await page.evaluate(() => document.activeElement?.matches('[data-site]'))) break;
        await page.keyboard.press(key);
      }
      await page.keyboard.press('Enter');
    } else if (wanted.startsWith('[data-route]')) {
      await tabTo(page, '[data-route]');
      const open = await page.evaluate(() => document.activeElement?.matches('[data-open]'));
      // The stop may be a route that was claimed last: the list has those that can be claimed.
      if (open) await page.keyboard.press('Enter');
      else {
        if (!(await page.locator('[data-list-route]').first().isVisible())) {
          await tabTo(page, '[role=tab]'); // one stop for all tabs; arrow keys, Home and End lead on
          await page.keyboard.press('End');
          await page.locator('[data-list-route]').first().waitFor();
        }
        await enter(page, '[data-list-route].open');
      }
    } else {
      await enter(page, wanted);
    }
    done.add(wanted);
    const at = once.findIndex((one) => wanted.startsWith(one));
    if (at >= 0) once.splice(at, 1);
    await expectFocus(page, `after ${wanted}`);
  }
  expect([...back, ...carry]).toEqual([]);
  expect([...done]).toEqual(
    expect.arrayContaining([
      '[data-keep]:enabled',
      '.dock [data-pay]',
      '[data-city][data-site]',
      '[data-draw-tickets]',
    ]),
  );

  await proveRecord(page, replay);
  await enter(page, 'header .menu');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.matches('header .menu'))).toBe(true);
});
