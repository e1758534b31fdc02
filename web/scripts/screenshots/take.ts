/** Table, phone and final scoring, into docs/images. */
import { fileURLToPath } from 'node:url';
import { Player } from '../../tests/browser/support/players/player.ts';
import { playBots, sized, test, type Page } from '../../tests/browser/support/test.ts';

const image = (name: string) => ({ path: fileURLToPath(new URL(`../../../docs/images/${name}.png`, import.meta.url)) });

/** Play as the hints say, so many decisions long or to the end. */
async function play(page: Page, decisions: number): Promise<void> {
  const player = new Player(page);
  for (let made = 0; made < decisions; made += 1) {
    if ((await player.ready()).what === 'over') return;
    await page.locator('[data-hint]').click();
    await page.locator('[data-follow]').click();
    await page.locator('[data-hinted]').waitFor({ state: 'detached' });
  }
  await player.ready();
  await page.mouse.move(0, 0);
}

async function begin(page: Page, edition: string, opponents: number): Promise<void> {
  // The server of the tests deals the same cards every time, and the table says so; a reader's does not.
  await page.evaluate(() => {
    const style = new CSSStyleSheet();
    style.replaceSync('[data-chosen-cards] { display: none; }');
    document.adoptedStyleSheets.push(style);
  });
  await page.locator('[data-name]').fill('Ada');
  await playBots(page, edition, opponents);
}

test('table, final scoring', async ({ person }) => {
  const page = await person({ viewport: sized(1440) });
  await begin(page, 'europe', 3);
  await play(page, 44);
  await page.screenshot(image('table'));
  await play(page, Infinity);
  await page.locator('.final .ticket.done').first().click();
  await page.mouse.move(0, 0);
  await page.screenshot(image('final'));
});

test('phone', async ({ person }) => {
  const page = await person({ viewport: sized(360), deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  await begin(page, 'usa', 2);
  await play(page, 36);
  await page.screenshot(image('phone'));
});
