/** Three people on one device, to the end, saved and loaded in the middle: nothing of a hand while the curtain is closed. */
import { fileURLToPath } from 'node:url';
import { expectAccessible } from './support/checks.ts';
import { Player } from './support/player.ts';
import { GameServer } from './support/server.ts';
import { expect, sized, test, type Page } from './support/test.ts';

const PICTURES = process.env.PICTURES;
const board = fileURLToPath(new URL('boards/portugal.json', import.meta.url));

/** Runs in the page: what of a hand could be seen or heard. */
function traces(): string[] {
  const found = [...document.querySelectorAll('.hand-panel, [data-tab=tickets], .dock, .ticket, [data-pass-on]')].map((one) => one.className);
  return [...found, ...(/your turn|●/i.test(document.title) ? [document.title] : [])];
}

test('three people and one device', async ({ person }) => {
  const server = await new GameServer('--board', board).start();
  try {
    const page: Page = await person({ viewport: sized(768), quiet: true }, `${server.address}`);
    /** Frames with a hand that came while the curtain was closed. */
    const leaks: string[] = [];
    let closed = true;
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (closed && /"own":\{/.test(String(payload)) && !/"final":\{/.test(String(payload))) leaks.push(String(payload).slice(0, 80));
      }),
    );
    await page.locator('[data-edition]').selectOption({ label: 'Portugal' });
    await page.locator('[data-setup-here]').click();
    await page.locator('[data-name]').fill('Ada');
    await page.locator('[data-name-of="1"]').fill('Bea');
    await page.locator('[data-add]').click();
    await page.locator('[data-name-of="2"]').fill('Cem');
    await expectAccessible(page, 'setting up for one device');
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
        const next = player.ready().then(() => 'mine' as const, () => 'gone' as const);
        const what = await Promise.race([next, done.first().waitFor().then(() => 'done' as const)]);
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
      if (number === 0) {
        // Whoever turns away leaves a closed curtain, and finds everything again behind it.
        await page.evaluate(() => dispatchEvent(new Event('blur')));
        expect(await page.evaluate(traces)).toEqual([]);
        closed = true;
        await open(false);
      }
      await turn();
      if (PICTURES && number === 0) await page.screenshot({ path: `${PICTURES}/pass-on.png` });
      await close();
    }
    expect(order.map((one) => one.replace(/^\d\s*/, ''))).toEqual(['Ada’s turn', 'Ada’s turn', 'Bea’s turn', 'Cem’s turn']);

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
    expect(leaks).toEqual([]);
    await page.locator('[data-rematch]').click();
    await curtain.waitFor();
  } finally {
    await server.end();
  }
});
