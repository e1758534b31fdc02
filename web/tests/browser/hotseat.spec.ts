/** Three people on one device, to the end, saved and loaded in the middle: nothing of a hand while the curtain is closed. */
import { expectAccessible, expectClear } from './support/checks.ts';
import { resize } from './support/geometry.ts';
import { Player } from './support/players/player.ts';
import { expect, sized, SIZES, test, type Page } from './support/test.ts';

const PICTURES = process.env.PICTURES;

/** Runs in every page: sounds and notices are counted, and a page can be made to think that nobody looks at it. */
function watched(): void {
  const counted = { sounds: 0, notices: 0, away: false };
  class Audio {
    constructor() {
      counted.sounds += 1;
      throw new Error('no device');
    }
  }
  class Noted {
    static permission = 'granted';
    constructor() {
      counted.notices += 1;
    }
  }
  Object.assign(globalThis, { counted, AudioContext: Audio, Notification: Noted });
  Object.defineProperty(document, 'hidden', { get: () => counted.away });
}
type Counted = { counted: { sounds: number; notices: number; away: boolean } };

/**
 * Runs in the page: what of a hand could be seen, heard or found while the curtain is closed. In the document: cards, tickets,
 * their marks and ways on the map, what can be paid; what live regions say of blind cards and tickets; the title; the
 * history; sounds and notices, which would come at other times for other hands.
 */
function traces(): string[] {
  const hidden =
    '.hand-panel, [data-hand], [data-tab=tickets], .dock, .ticket, [data-pass-on], [data-mark], .band.open, .band.path, [data-open], [data-site]';
  const found = [...document.querySelectorAll(hidden)].map((one) => one.outerHTML.slice(0, 80));
  const heard = [...document.querySelectorAll('[role=log], [role=status], [role=alert], [aria-live]')].map(
    (one) => one.textContent ?? '',
  );
  const told = heard.filter((text) => /drew from the deck (a|\d|one)|kept .*–|your turn/i.test(text));
  const { sounds, notices } = (globalThis as unknown as Counted).counted;
  return [
    ...found,
    ...told,
    ...(/your turn|●/i.test(document.title) ? [document.title] : []),
    ...(history.state === null ? [] : [JSON.stringify(history.state)]),
    ...(/#|\?/.test(location.href) ? [location.href] : []),
    ...(sounds || notices ? [`${sounds} sounds, ${notices} notices`] : []),
  ];
}

async function look(page: Page, state: string, sizes: readonly { width: number; height: number }[]): Promise<void> {
  for (const size of sizes) {
    await resize(page, size);
    await expectClear(page, `${state}, ${size.width} × ${size.height}`);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${state}-${size.width}.png` });
  }
}

test('three people and one device', async ({ person }) => {
  const settings = { hold: '0', pace: '0', sound: '1', notices: '1' };
  const page: Page = await person({ viewport: sized(768), quiet: true, settings });
  await page.context().addInitScript(watched);
  await page.reload();
  /** Frames with a hand that came while the curtain was closed. */
  const leaks: string[] = [];
  let closed = true;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (closed && /"own":\{/.test(String(payload)) && !/"final":\{/.test(String(payload)))
        leaks.push(String(payload).slice(0, 80));
    }),
  );
  await page.locator('[data-edition=portugal]').check();
  await page.locator('[data-setup=here]').click();
  await page.locator('[data-name]').fill('Ada');
  await page.locator('[data-name-of="1"]').fill('Bea');
  await page.locator('[data-add]').click();
  await page.locator('[data-name-of="2"]').fill('Cem');
  // Bea wants green, which Cem has: they exchange.
  const colors = page.locator('[data-color][aria-checked=true]');
  const chosen = () => colors.evaluateAll((all) => all.map((one) => one.getAttribute('data-color')));
  await expect.poll(chosen).toEqual(['blue', 'red', 'green']);
  await page.locator('.seat').nth(1).locator('[data-color=green]').click();
  expect(await chosen()).toEqual(['blue', 'green', 'red']);
  await expectAccessible(page, 'setting up for one device');
  await look(page, 'setup-here', SIZES);
  await page.locator('[data-create]').click();

  const curtain = page.locator('[data-curtain]');
  const opener = page.locator('[data-open-curtain]');
  const player = new Player(page);
  const order: string[] = [];
  /** Open the curtain: by a held press, or as a screen reader does, twice. */
  const open = async (held: boolean) => {
    await curtain.waitFor();
    expect(await page.evaluate(traces)).toEqual([]);
    order.push((await page.locator('#curtain-title').innerText()).trim());
    closed = false;
    if (held) {
      await opener.hover();
      await page.mouse.down();
      await curtain.waitFor({ state: 'detached' });
      await page.mouse.up();
    } else {
      await opener.dispatchEvent('click');
      await expect(opener).toHaveText('Press again to open');
      await opener.dispatchEvent('click');
    }
    await page.locator('.hand-panel').waitFor();
  };
  const close = async () => {
    await page.locator('[data-close-curtain]').click();
    closed = true;
    await expect(page.locator('.hand-panel')).toHaveCount(0);
  };
  /** The person behind the curtain plays until their turn is over; returns whether the game is. */
  const turn = async (): Promise<boolean> => {
    for (;;) {
      const over = page.locator('.final');
      const done = page.locator('[data-pass-on], .final');
      const next = player.ready().then(
        () => 'mine' as const,
        () => 'gone' as const,
      );
      const what = await Promise.race([
        next,
        done
          .first()
          .waitFor()
          .then(() => 'done' as const),
      ]);
      if (what === 'done') return (await over.count()) > 0;
      if ((await player.press()) === 'over') return true;
      if (await done.count()) return (await over.count()) > 0;
    }
  };

  // A short press opens nothing.
  await opener.click();
  await expect(curtain).toBeVisible();
  await expectAccessible(page, 'curtain');
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/curtain-first.png` });
  for (let number = 0; number < 3; number += 1) {
    await open(number === 0);
    await expect(page.locator('[data-whose]')).toHaveText(`${['Ada', 'Bea', 'Cem'][number]}’s hand`);
    if (number === 0) {
      await look(page, 'hot-seat', SIZES);
      await resize(page, sized(768));
      // Whoever turns away leaves a closed curtain, before anything can take a picture of the page: by another window,
      // by the task switcher, by the history. Everything is found again behind it.
      expect(await page.evaluate(`(${traces})()`)).not.toEqual([]); // an open hand would be found
      for (const leaving of ['blur', 'hidden', 'pagehide']) {
        const left = await page.evaluate(`(() => {
          counted.away = ${leaving === 'hidden'};
          ${leaving === 'hidden' ? 'document' : 'globalThis'}.dispatchEvent(new Event('${leaving === 'hidden' ? 'visibilitychange' : leaving}'));
          counted.away = false;
          return (${traces})();
        })()`);
        expect(left, leaving).toEqual([]);
        closed = true;
        await open(false);
      }
      await page.goto('about:blank');
      closed = true;
      await page.goBack();
      await open(false);
    }
    await turn();
    if (PICTURES && number === 0) await page.screenshot({ path: `${PICTURES}/pass-on.png` });
    await close();
  }
  expect(order.map((one) => one.replace(/^\d\s*/, ''))).toEqual([
    ...Array(5).fill('Ada’s turn'),
    'Bea’s turn',
    'Cem’s turn',
  ]);

  for (let turns = 0, over = false; !over; turns += 1) {
    await open(false);
    over = await turn();
    if (over) break;
    // Saved and loaded in the middle, with a hand on the screen: the curtain is closed.
    if (turns === 2) {
      closed = true;
      await page.reload();
      await curtain.waitFor();
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/curtain.png` });
      continue;
    }
    await close();
  }
  await expect(page.locator('.final td.total')).toHaveCount(3);
  const faces = page.locator('.final .who .badge');
  const painted = await faces.evaluateAll((all) => all.map((one) => /--player-(\w+)/.exec(one.innerHTML)?.[1]));
  expect(painted.sort()).toEqual(['blue', 'green', 'red']);
  expect(leaks).toEqual([]);
  await page.locator('[data-rematch]').click();
  await curtain.waitFor();
});
