// Two browsers and a bot at one table: a reload, a dropped network and a server restart in the
// middle, to the final score, which both see alike.
import { openBrowser, openServer } from './browser.mjs';
import { decide } from './player.mjs';

const browser = await openBrowser();
let server = await openServer();
const nothing = Object.assign(async () => {}, { turn: 0 });

async function person(name) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, locale: 'en' });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(name, String(error)));
  return { name, context, page };
}

function check(holds, what) {
  if (!holds) throw new Error(what);
  console.log(`ok: ${what}`);
}

try {
  const ada = await person('Ada');
  const bob = await person('Bob');
  await ada.page.goto(`${server.address}#new`);
  await ada.page.fill('input[type=text]', 'Ada');
  await ada.page.click('text=Add a seat');
  await ada.page.click('form .plate.main');
  await ada.page.waitForSelector('.share input');
  const link = await ada.page.inputValue('.share input');
  await bob.page.goto(link);
  await bob.page.fill('input[type=text]', 'Bob');
  await bob.page.click('form .plate.main');
  await Promise.all([ada, bob].map(({ page }) => page.waitForSelector('[data-keep]')));
  check(true, 'both choose their tickets');

  const over = ({ page }) => page.locator('.final').isVisible();
  const log = ({ page }) => page.locator('.tabpanel li').count();
  let decisions = 0;
  const until = Date.now() + 300_000;
  while (!(await over(ada)) || !(await over(bob))) {
    if (Date.now() > until) throw new Error('the game did not end in time');
    for (const one of [ada, bob]) {
      if (!(await one.page.locator('header.mine').isVisible().catch(() => false))) continue;
      nothing.turn = decisions;
      await decide(one.page, nothing).catch(() => {});
      decisions += 1;
      if (decisions === 8) {
        await ada.page.reload();
        await ada.page.waitForSelector('[role=tablist]');
        check((await log(ada)) > 0, 'a reload brings everything back');
      }
      if (decisions === 14) {
        await bob.context.setOffline(true);
        await bob.page.evaluate(() => dispatchEvent(new Event('offline')));
        await bob.page.waitForTimeout(1_500);
        await bob.context.setOffline(false);
        await bob.page.waitForTimeout(500);
        check(true, 'the network went and came back');
      }
      if (decisions === 20) {
        server = await server.again();
        for (const { page } of [ada, bob]) await page.waitForSelector('.lost', { state: 'detached', timeout: 15_000 });
        check(true, 'the server was started again, and both are back');
      }
    }
    await ada.page.waitForTimeout(40);
  }
  const totals = ({ page }) => page.locator('.final td.total').allTextContents();
  check(JSON.stringify(await totals(ada)) === JSON.stringify(await totals(bob)), 'both see the same score');
  await ada.page.click('[data-rematch]');
  await bob.page.locator('text=Join the rematch').click();
  await Promise.all([ada, bob].map(({ page }) => page.waitForSelector('[data-keep]')));
  check(true, 'a rematch with the same people');
} finally {
  await browser.close();
  await server.end();
}
