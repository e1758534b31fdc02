/** Every page beside the table, at three widths, in four languages, by day and night; and under a path prefix. */
import { expectAccessible, expectClear, LANGUAGES } from './support/checks.ts';
import { Player } from './support/player.ts';
import { GameServer } from './support/server.ts';
import { expect, playBots, sized, test, WIDTHS, type Page } from './support/test.ts';

async function look(page: Page, where: string): Promise<void> {
  await expectClear(page, where);
  await expectAccessible(page, where);
}

for (const width of WIDTHS) {
  test(`start, setup, waiting room, invitation and spectators at ${width} px`, async ({ person, server }) => {
    const colorScheme = width === 768 ? 'dark' : 'light';
    const options = { viewport: sized(width), colorScheme } as const;
    const host = await person(options);
    await look(host, 'start');
    await host.locator('[data-setup]').click();
    await host.locator('[data-add]').click();
    await host.locator('[data-clock]').selectOption('live');
    await look(host, 'setup');
    await host.locator('[data-name]').fill('Countess Ada of Lovelace-Byron, the First');
    await host.locator('[data-listed]').check();
    await host.locator('[data-create]').click();
    const link = await host.locator('.share input').inputValue();
    await look(host, 'waiting room');

    const guest = await person(options);
    await expect(guest.locator('[data-table]').first()).toBeVisible();
    await look(guest, 'start with a table in the list');
    await guest.goto(link);
    await guest.locator('[data-sit]').waitFor();
    await expect(guest.locator('.seats')).toContainText(/\d · Bot \(\S+\)/);
    await look(guest, 'invitation');
    const watcher = await person(options, link);
    await watcher.locator('[data-watch]').click();
    await watcher.locator('.share input').waitFor();
    await look(watcher, 'waiting room of a spectator');
    await guest.locator('[data-name]').fill('Bob');
    await guest.locator('[data-sit]').click();
    await watcher.locator('.table').waitFor();
    await look(watcher, 'spectator');

    const lost = await person({ ...options, quiet: true }, `${server.address}table/nowhere`);
    await lost.locator('.error').waitFor();
    await look(lost, 'no such table');
  });
}

test('the table by night', async ({ person }) => {
  const page = await person({ colorScheme: 'dark' });
  await playBots(page, 'usa');
  const player = new Player(page);
  while ((await player.press()) !== 'claim');
  await player.ready();
  await look(page, 'dark table');
});

for (const language of LANGUAGES) {
  test(`the browser's own language: ${language}`, async ({ person }) => {
    const page = await person({ locale: language });
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    const texts: Record<string, string> = { en: 'Play now', es: 'Jugar ahora', pt: 'Jogar agora', ro: 'Joacă acum' };
    await expect(page.locator('[data-play]')).toHaveText(texts[language]!);
    const other = language === 'ro' ? 'en' : 'ro';
    await page.locator('header select').selectOption(other);
    await expect(page.locator('[data-play]')).toHaveText(texts[other]!);
    await page.reload();
    await expect(page.locator('[data-play]')).toHaveText(texts[other]!);
  });
}

test('under a path prefix everything is found, after a reload of a table too', async ({ person }) => {
  const server = await new GameServer('--prefix', '/games/rail/').start();
  try {
    const page = await person({}, server.address);
    await page.locator('[data-play]').click();
    await page.locator('[data-keep]').waitFor();
    await page.reload();
    await page.locator('[data-keep]').waitFor();
    expect(page.url()).toContain('/games/rail/table/');
    await page.context().close();
  } finally {
    await server.end();
  }
});
