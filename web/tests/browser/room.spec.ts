/** A table for the room: a screen and three phones, one of which sleeps and one of which loses its secret, to the end. */
import { expectAccessible, expectClear } from './support/checks.ts';
import { PhonePlayer } from './support/players/phone_player.ts';
import { Wire } from './support/server/proxy.ts';
import { decodeQr } from './support/qr.ts';
import { findRoom, openRoom } from './support/room.ts';
import { expect, openTab, sized, test, type Page } from './support/test.ts';
import { Turns } from './support/players/turns.ts';

const PICTURES = process.env.PICTURES;
const picture = async (page: Page, name: string) => {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/room-${name}.png` });
};
const menu = async (page: Page, name: string) => {
  await page.locator('header .menu').click();
  await page.locator(`dialog [data-${name}]`).click();
};

/** Runs in every page: what a browser does not have on a plain local network, where nothing is encrypted. */
function plain(): void {
  Object.defineProperty(globalThis, 'isSecureContext', { value: false });
  for (const [owner, name] of [
    [Navigator.prototype, 'wakeLock'],
    [Navigator.prototype, 'serviceWorker'],
    [Navigator.prototype, 'clipboard'],
    [Crypto.prototype, 'subtle'],
    [Crypto.prototype, 'randomUUID'],
    [globalThis, 'Notification'],
  ] as const) {
    Reflect.deleteProperty(owner, name);
  }
}
const onPlainNetwork = async (page: Page): Promise<void> => {
  await page.context().addInitScript(plain);
  await page.reload();
};

test('a screen and three phones', async ({ person, server }) => {
  const wire = new Wire(server.address);
  try {
    const screen = await person({ viewport: sized(1280), quiet: true }, server.address); // larger only where somebody looks: Chromium draws less
    const frames: string[] = [];
    screen.on('websocket', (socket) =>
      socket.on(
        'framereceived',
        ({ payload }) => !String(payload).includes('"type":"pong"') && frames.push(String(payload)),
      ),
    );
    await onPlainNetwork(screen);
    const code = await openRoom(screen, 'portugal');
    await expect(screen.locator('[data-plain]')).toContainText('plain http');
    // The server of the tests answers this machine alone, and the screen says so.
    await expect(screen.locator('[data-door] .error')).toContainText('cannot reach');
    // Where others reach it, a camera that looks at the screen finds the table.
    await screen.route('**/api/reach', (route) =>
      route.fulfill({ json: { addresses: ['http://192.168.1.7:8765/trains/'] } }),
    );
    await screen.reload();
    const table = new URL(screen.url()).pathname.split('/').at(-1);
    await screen.locator('[data-qr]').waitFor();
    expect(await decodeQr(screen, '.door')).toBe(`http://192.168.1.7:8765/trains/table/${table}`);
    await expect(screen.locator('[data-address]')).toHaveText('192.168.1.7:8765/trains');
    await expectAccessible(screen, 'the screen before the game');
    await picture(screen, 'screen-waiting');

    const phones: Page[] = [];
    const names = ['Ada', 'Bea', 'Zed'];
    for (const name of names) {
      const phone = await person(
        { viewport: sized(360), quiet: true, colorScheme: name === 'Bea' ? 'dark' : 'light' },
        name === 'Ada' ? await wire.lay() : server.address,
      );
      await onPlainNetwork(phone);
      await findRoom(phone, code, name);
      phones.push(phone);
      if (name === 'Zed') break;
      await phone.locator('[data-sit]').click();
      await expect(screen.getByText(name, { exact: true })).toBeVisible();
    }
    const [ada, bea, zed] = phones as [Page, Page, Page];
    await expectAccessible(bea, 'a phone before the game');
    await picture(bea, 'phone-waiting');
    // Whoever sat down first keeps the door; the others cannot.
    await expect(bea.locator('[data-lock]')).toHaveCount(0);
    await ada.locator('[data-lock]').click();
    await expect(screen.locator('[data-locked]')).toBeVisible();
    await zed.locator('[data-sit]').click();
    await expect(zed.locator('[role=alert]')).toContainText('Nobody else can sit down');
    await ada.locator('[data-lock]').click();
    await zed.reload();
    await zed.locator('[data-name]').fill('Zed');
    await zed.locator('[data-sit]').click(); // the last seat: the game begins by itself
    for (const phone of phones) await phone.locator('[data-keep]').waitFor();
    await screen.locator('.table').waitFor();
    await expect(screen.locator('[data-door]')).toHaveCount(0);
    expect(await screen.locator('.hand-panel').count()).toBe(0);

    const players = [new PhonePlayer(ada), new PhonePlayer(bea, ['cut']), new PhonePlayer(zed, ['ask'])];
    const turns = new Turns(players);
    await turns.play(14);
    await picture(screen, 'screen');
    // From the other side of the room everything can be read.
    await screen.setViewportSize(sized(1920));
    await expectClear(screen, 'the screen');
    for (const part of ['.signal .words', '.chip .points', '.tabpanel li']) {
      expect(
        await screen
          .locator(part)
          .first()
          .evaluate((one) => parseFloat(getComputedStyle(one).fontSize)),
        part,
      ).toBeGreaterThanOrEqual(24);
    }
    await screen.setViewportSize(sized(1280));
    await picture(bea, 'phone');

    // A phone shows hand, tickets and the routes that lead to them; the map is behind a tab, whole or cut.
    const mine = await Promise.all(phones.map((phone) => phone.locator('header.mine').count()));
    const idle = phones[mine.indexOf(0)]!; // the game waits for another
    await openTab(idle, 'tickets');
    await expect(idle.locator('[data-ticket] [data-list-route]').first()).toBeVisible();
    await expect(idle.locator('[data-route]').first()).toBeHidden();
    const before = frames.length;
    for (const width of [360, 740]) {
      await idle.setViewportSize(sized(width));
      await openTab(idle, 'tickets');
      await expectClear(idle, `phone, tickets, ${width} px`);
      await idle.locator('[data-pin]').first().click(); // a plan stays on the phone
      await idle.locator('[data-cut]').first().click();
      await expect(idle.locator('[data-route]').first()).toBeVisible();
      await expectClear(idle, `phone, cut of the map, ${width} px`);
      await idle.locator('[data-show-all]').click();
      await expect
        .poll(() => idle.locator('.sheet').evaluate((sheet) => sheet.getBoundingClientRect().width))
        .toBeLessThan(width * 1.6);
    }
    await idle.setViewportSize(sized(360));
    await openTab(idle, 'tickets');
    await expectAccessible(idle, 'a phone with its tickets', 'panels');
    await idle.locator('[data-where]').first().click();
    await expectAccessible(idle, 'a phone with a cut of the map', 'panels');
    await openTab(idle, 'tickets');
    expect(frames.slice(before)).toEqual([]); // what a phone looks at, plans and points at never reaches the screen

    // A phone sleeps, and has its seat back at once; so has one whose browser threw the page away.
    wire.cut();
    await expect(ada.locator('.lost')).toBeVisible();
    wire.mend();
    await expect(ada.locator('.lost')).toBeHidden();
    await ada.goto('about:blank');
    turns.forget(players[0]!);
    await ada.goBack();
    await ada.locator('.hand-panel').waitFor();
    await menu(bea, 'pause');
    await expect(screen.locator('.signal')).toContainText('paused');
    await menu(ada, 'resume');
    await expect(screen.locator('.signal')).not.toContainText('paused');

    // Another loses its secret: the code is shown again, and somebody lets it in.
    await bea.evaluate(() => localStorage.clear());
    const link = bea.url();
    await bea.goto('about:blank');
    turns.forget(players[1]!);
    await menu(ada, 'open-door');
    await expect(screen.locator('[data-code]')).toHaveText(code);
    await bea.goto(link);
    await bea.locator('[data-ask-seat="1"]').click();
    const word = await bea.locator('[data-word]').innerText();
    await expect(screen.locator(`[data-asking=${word}]`)).toBeVisible();
    await expect(screen.locator('[data-let-in]')).toHaveCount(0);
    await picture(screen, 'screen-asked');
    await picture(bea, 'phone-asks');
    await expectAccessible(bea, 'a phone that asks to be let in');
    await zed.locator(`[data-asking=${word}] [data-let-in]`).click();
    await bea.locator('.hand-panel').waitFor();
    await expect(screen.locator('[data-asking]')).toHaveCount(0);
    await menu(zed, 'open-door');
    await expect(screen.locator('[data-code]')).toHaveCount(0);

    // The screen is lost, and another takes its place.
    await screen.evaluate(() => localStorage.clear());
    await screen.reload();
    await screen.locator('[data-ask-screen]').click();
    await ada.locator('[data-let-in]').click();
    await screen.locator('.table').waitFor();

    expect(await turns.play(1_000)).toBe(true);
    expect(players.map((player) => player.done['route'] ?? 0).reduce((sum, count) => sum + count)).toBeGreaterThan(3);
    expect(players[1]!.done).toMatchObject({ cut: expect.any(Number), 'on the map': 1 });
    expect(players[2]!.done).toMatchObject({ tickets: 1 });
    const totals = (page: Page) => page.locator('.final td.total').allTextContents();
    await expect(screen.locator('.final')).toBeVisible();
    expect(await totals(screen)).toHaveLength(3);
    expect(await totals(bea)).toEqual(await totals(screen));
    await picture(screen, 'screen-end');
    // Until the end nothing of a hand was in any frame of the screen.
    const running = frames.filter((frame) => frame.includes('"type":"state"') && !frame.includes('"final":{'));
    expect(running.length).toBeGreaterThan(20);
    expect(running.filter((frame) => !frame.includes('"own":null'))).toEqual([]);
  } finally {
    await wire.end();
  }
});
