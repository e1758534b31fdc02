/**
 * The people at the table, for the eye: room, phones, hot seat, start page, settings; at phone, tablet and
 * television size in both themes, into `look/`. `STATES="room phone"` takes some of them, `TONGUE=ro` in a language.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PhonePlayer } from '../../tests/browser/support/players/phone_player.ts';
import { findRoom, openRoom } from '../../tests/browser/support/room.ts';
import { GameServer } from '../../tests/browser/support/server/server.ts';
import { openTab, test, type Page } from '../../tests/browser/support/test.ts';
import { Turns } from '../../tests/browser/support/players/turns.ts';

const folder = fileURLToPath(new URL('../../look/', import.meta.url));
const wanted = process.env['STATES']?.split(' ');
const language = process.env['TONGUE'] ?? 'en';
const wants = (state: string) => !wanted || wanted.includes(state);
const PHONES = [
  [360, 740],
  [390, 844],
  [740, 360],
] as const;
const TABLETS = [
  [768, 1024],
  [1024, 768],
] as const;
const SCREENS = [
  [1920, 1080],
  [3840, 2160],
] as const;
const TELEVISION = { width: 1920, height: 1080 };

async function shoot(page: Page, name: string, sizes: readonly (readonly [number, number])[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const before = page.viewportSize()!;
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(async () => {
        for (let frame = 0; frame < 12; frame += 1) await new Promise(requestAnimationFrame);
      });
      await page.waitForTimeout(350); // a map that glides has come to rest
      await page.screenshot({ path: `${folder}people-${name}-${width}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize(before);
}

test('a table for the room', async ({ person }) => {
  test.skip(!wants('room') && !wants('phone'));
  const server = await new GameServer('--host', '0.0.0.0').start();
  try {
    const screen = await person({ viewport: TELEVISION, locale: language, quiet: true }, server.address);
    const code = await openRoom(screen, 'europe');
    const phones: Page[] = [];
    for (const name of ['Ada', 'Bea', 'Zed']) {
      const phone = await person(
        { viewport: { width: 360, height: 740 }, locale: language, quiet: true },
        server.address,
      );
      await findRoom(phone, code, name);
      if (name === 'Zed' && wants('phone')) await shoot(phone, 'phone-sit', PHONES);
      await phone.locator('[data-sit]').click();
      await phone.locator('[data-begin]').waitFor();
      phones.push(phone);
    }
    const [ada, bea, zed] = phones as [Page, Page, Page];
    if (wants('room')) await shoot(screen, 'screen-waiting', [...SCREENS, ...TABLETS]);
    if (wants('phone')) await shoot(ada, 'phone-waiting', PHONES);
    await bea.locator('[data-begin]').click();
    for (const phone of phones) await phone.locator('[data-keep]').waitFor();
    if (wants('phone')) await shoot(ada, 'phone-offer', PHONES);
    const players = phones.map((phone) => new PhonePlayer(phone));
    const turns = new Turns(players);
    await turns.play(40);
    // Whoever is asked something answers; then somebody begins a turn.
    let next = await turns.next();
    while (await next.page.locator('.dock').count()) {
      await turns.play(1);
      next = await turns.next();
    }
    const other = players.find((player) => player !== next)!;
    if (wants('room')) await shoot(screen, 'screen', SCREENS);
    if (wants('phone')) {
      await shoot(next.page, 'phone-turn', [...PHONES, ...TABLETS]);
      await shoot(other.page, 'phone-waits', PHONES);
      await openTab(next.page, 'map');
      await shoot(next.page, 'phone-map', PHONES);
      await next.page.locator('[data-show]').first().click();
      await shoot(next.page, 'phone-cut', PHONES);
      await openTab(next.page, 'log');
      await shoot(next.page, 'phone-log', PHONES);
      await openTab(next.page, 'tickets');
      const route = next.page.locator('[data-list-route].open');
      if (await route.count()) {
        await route.first().click();
        await shoot(next.page, 'phone-payment', PHONES);
        await next.page.locator('[data-cancel]').click();
      }
      await next.page.locator('[data-station]').click();
      await shoot(next.page, 'phone-station', PHONES);
      await next.page.locator('[data-station]').click();
    }
    await zed.evaluate(() => localStorage.clear());
    const link = zed.url();
    await zed.goto('about:blank');
    await ada.locator('header .menu').click();
    await ada.locator('dialog [data-open-door]').click();
    await zed.goto(link);
    await zed.locator('[data-ask-seat="2"]').click();
    await zed.locator('[data-word]').waitFor();
    await bea.locator('[data-let-in]').waitFor();
    if (wants('room')) await shoot(screen, 'screen-asked', SCREENS);
    if (wants('phone')) {
      await shoot(zed, 'phone-asks', PHONES);
      await shoot(bea, 'phone-let-in', PHONES);
    }
  } finally {
    await server.end();
  }
});

test('one device, and what a browser has of its own', async ({ person }) => {
  test.skip(!wants('device'));
  const server = await new GameServer().start();
  const sizes = [PHONES[0], PHONES[2], TABLETS[0], SCREENS[0]] as const;
  try {
    const page = await person(
      { viewport: { width: 768, height: 1024 }, locale: language, quiet: true },
      server.address,
    );
    await page.locator('[data-open-settings]').click();
    await shoot(page, 'settings', sizes);
    await page.keyboard.press('Escape');
    await page.locator('[data-setup=room]').click();
    await page.locator('[data-create]').waitFor();
    await shoot(page, 'setup-room', sizes);
    await page.goto(server.address);
    await page.locator('[data-setup=here]').click();
    await page.locator('[data-name]').fill('Ada');
    await page.locator('[data-name-of="1"]').fill('Bea');
    await shoot(page, 'setup-here', sizes);
    await page.locator('[data-create]').click();
    await page.locator('[data-curtain]').waitFor();
    await shoot(page, 'curtain', sizes);
    await page.locator('[data-open-curtain]').dispatchEvent('click');
    await page.locator('[data-open-curtain]').dispatchEvent('click');
    await page.locator('.dock .ticket').first().click();
    await page.locator('.dock .ticket').nth(1).click();
    await page.locator('[data-keep]').click();
    await page.locator('[data-pass-on]').waitFor();
    await page.locator('[data-pass-on] .plate').last().click(); // it stays open
    await shoot(page, 'pass-on', sizes);
    await page.goto(server.address);
    await page.locator('[data-mine]').waitFor();
    await shoot(page, 'start', sizes);
  } finally {
    await server.end();
  }
});
