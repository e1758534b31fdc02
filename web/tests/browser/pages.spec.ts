/** Every page beside the table, at three widths, in four languages, by day and night. */
import { catalogues } from '../support/catalogues.ts';
import { expectAccessible, expectClear, LANGUAGES } from './support/checks.ts';
import { expect, sized, test, WIDTHS, type Page } from './support/test.ts';

/** At three widths, that of a tablet by night. */
async function look(page: Page, where: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.emulateMedia({ colorScheme: width === 768 ? 'dark' : 'light' });
    await page.setViewportSize(sized(width));
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expectClear(page, `${where}, ${width} px`);
    await expectAccessible(page, `${where}, ${width} px`);
  }
}

test('start, setup, waiting room, invitation and spectators', async ({ person, server }) => {
  const host = await person();
  await look(host, 'start');
  await host.locator('[data-setup=new]').click();
  await host.locator('[data-add]').click();
  await host.locator('[data-clock]').selectOption('live');
  await look(host, 'setup');
  await host.locator('[data-name]').fill('Countess Ada of Lovelace-Byron, the First');
  await host.locator('[data-listed]').check();
  await host.locator('[data-create]').click();
  const link = await host.locator('.share input').inputValue();
  await look(host, 'waiting room');

  const guest = await person();
  await expect(guest.locator('[data-table]').first()).toBeVisible();
  await look(guest, 'start with a table in the list');
  await guest.goto(link);
  await guest.locator('[data-sit]').waitFor();
  await expect(guest.locator('.seats')).toContainText('Bruno');
  await look(guest, 'invitation');
  const watcher = await person({}, link);
  await watcher.locator('[data-watch]').click();
  await watcher.locator('.share input').waitFor();
  await look(watcher, 'waiting room of a spectator');
  await guest.locator('[data-name]').fill('Bob');
  await guest.locator('[data-choose-portrait]').click();
  await guest.locator('[data-portrait=lantern]').click();
  await guest.locator('[data-sit]').click();
  // Who begins and in which order is decided once everybody sits; a colour is exchanged for another.
  await guest.locator('[data-color=black]').click();
  await expect(host.locator('[data-seat-row="1"]')).toContainText('Bob');
  await host.locator('[data-up="1"]').click();
  await host.locator('[data-first]').selectOption({ label: 'Bob' });
  await look(host, 'waiting room with everybody');
  await host.locator('[data-begin]').click();
  await watcher.locator('.table').waitFor();
  await expect(watcher.locator('[data-player="0"]').first()).toContainText('Bob');
  await expect(guest.locator('[data-keep]')).toBeVisible();
  await look(watcher, 'spectator');

  const lost = await person({ quiet: true }, `${server.address}table/nowhere`);
  await lost.locator('.error').waitFor();
  await look(lost, 'no such table');
  await lost.goto(`${server.address}#/puzzles/999999`);
  await lost.locator('[role=alert]').waitFor();
  await look(lost, 'no such puzzle');
  await lost.locator('[data-home]').click();
  await lost.locator('[data-play]').waitFor();
});

test("the browser's own language, until another is chosen", async ({ person }) => {
  const play = (language: string) => catalogues[language]!['start.play']!;
  for (const language of LANGUAGES) {
    const page = await person({ locale: language });
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('[data-play]')).toHaveText(play(language));
    if (language === 'pt') {
      await page.locator('header select').selectOption('ro');
      await expect(page.locator('[data-play]')).toHaveText(play('ro'));
      await page.reload();
      await expect(page.locator('[data-play]')).toHaveText(play('ro'));
    }
    await page.context().close();
  }
});

test('a page whose file is gone after a deploy has a way out', async ({ person }) => {
  const page = await person({ quiet: true });
  const files = /\/(Setup|\w+Page)-[^/]*\.js$/;
  await page.route(files, (route) => route.fulfill({ status: 404 }));
  const pages = ['new', '/replay', '/rules', '/puzzles', '/learn', '/games', '/editor', '/packs', '/count'];
  for (const where of pages) {
    await page.evaluate((hash) => (location.hash = hash), where);
    await page.reload();
    await page.locator('[data-gone]').waitFor();
  }
  await look(page, 'a file that is gone');
  await page.unroute(files);
  await page.locator('[data-gone] button').click();
  await page.locator('[data-home]').waitFor();
  await expect(page.locator('[data-gone]')).toHaveCount(0);
});
