// A game begun and turns played with the keyboard alone; the focus is never lost.
import { openBrowser, openServer } from './browser.mjs';

const browser = await openBrowser();
const server = await openServer();

const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
const page = await context.newPage();

async function tabTo(selector, most = 120) {
  for (let at = 0; at < most; at += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard cannot reach ${selector}`);
}
const mine = () => page.waitForSelector('header.mine', { timeout: 30_000 });

try {
  await page.goto(server.address);
  await page.waitForSelector('form .plate.main');
  await tabTo('input[type=text]');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-keep]');
  for (let at = 0; at < 4 && !(await page.locator('[data-keep]').isEnabled()); at += 1) {
    await tabTo(`.dock .ticket:nth-child(${at + 1})`);
    await page.keyboard.press('Space');
  }
  await tabTo('[data-keep]');
  await page.keyboard.press('Enter');
  console.log('ok: first tickets');

  await mine();
  await tabTo('[data-draw]');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
  await tabTo('[data-draw]');
  await page.keyboard.press('Enter');
  console.log('ok: two cards');

  for (let turn = 0; turn < 12; turn += 1) {
    await mine();
    await tabTo('[data-route]');
    const claimable = await page.evaluate(() => /can claim/.test(document.activeElement.getAttribute('aria-label')));
    if (claimable) {
      await page.keyboard.press('Enter');
      await page.waitForSelector('.dock [data-pay]');
      await tabTo('.dock [data-pay]');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(400);
      if (await page.locator('[data-withdraw]').isVisible()) {
        await tabTo('[data-withdraw]');
        await page.keyboard.press('Enter');
        await page.waitForTimeout(300);
        continue;
      }
      console.log('ok: a route claimed on the map');
      break;
    }
    for (let card = 0; card < 2; card += 1) {
      await tabTo('[data-draw]');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(250);
    }
    if (turn === 11) throw new Error('no route was claimed');
  }

  await mine();
  await tabTo('[data-station]');
  await page.keyboard.press('Enter');
  await tabTo('[data-city]');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  if (await page.locator('.dock [data-pay]').first().isVisible()) {
    await tabTo('.dock [data-pay]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-city][data-station]');
    console.log('ok: a station built');
  }
  await mine();
  await tabTo('[data-tickets]');
  await page.keyboard.press('Enter');
  await tabTo('[data-draw-tickets]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-keep]');
  await tabTo('.dock .ticket');
  await page.keyboard.press('Space');
  await tabTo('[data-keep]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-keep]', { state: 'detached' });
  console.log('ok: tickets drawn');

  await tabTo('header .menu');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  const back = await page.evaluate(() => document.activeElement?.matches('header .menu'));
  if (!back) throw new Error('the menu did not give the focus back');
  console.log('ok: the menu opens and closes');
} finally {
  await browser.close();
  await server.end();
}
