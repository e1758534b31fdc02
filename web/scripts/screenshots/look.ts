/** Pictures of the table for the eye: states of one game at seven sizes, by day and night, into `look`. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Player } from '../../tests/browser/support/player.ts';
import { playBots, SIZES, test, type Page } from '../../tests/browser/support/test.ts';

const folder = fileURLToPath(new URL('../../look/', import.meta.url));
const edition = process.env['EDITION'] ?? 'europe';
const opponents = Number(process.env['OPPONENTS'] ?? 3);
const wanted = process.env['SIZES']?.split(' ');
const themes = (process.env['THEMES'] ?? 'light dark').split(' ') as ('light' | 'dark')[];
const decisions = Number(process.env['DECISIONS'] ?? 40);

async function shoot(page: Page, state: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { width, height } of SIZES.filter((size) => !wanted || wanted.includes(`${size.width}x${size.height}`))) {
    await page.setViewportSize({ width, height });
    await page.mouse.move(0, 0);
    await page.waitForTimeout(350);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `${folder}${edition}-${state}-${width}x${height}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.waitForTimeout(300);
}

test('look', async ({ person }) => {
  const page = await person({ viewport: { width: 1280, height: 720 } });
  await page.locator('[data-name]').fill('Ada');
  await playBots(page, edition, opponents);
  const player = new Player(page);
  const states = (process.env['STATES'] ?? 'offer turn payment final').split(' ');
  await player.ready();
  if (states.includes('offer')) await shoot(page, 'offer');
  const play = async (count: number) => {
    for (let made = 0; made < count; made += 1) {
      if ((await player.ready()).what === 'over') return;
      // A hint is good until the next event: where one came in between, anything is as good.
      await page.locator('[data-hint]').click();
      const followed = await page.locator('[data-follow]').click({ timeout: 3_000 }).then(() => true, () => false);
      if (!followed) await player.press();
      else await page.locator('[data-hinted]').waitFor({ state: 'detached' });
    }
    await player.ready();
  };
  await play(decisions);
  if (states.includes('turn')) await shoot(page, 'turn');
  if (states.includes('payment')) {
    const route = await page.locator('[data-route][data-open]').first().getAttribute('data-route').catch(() => null);
    if (route) {
      await page.locator(`[data-route="${route}"]`).evaluate((one) => one.dispatchEvent(new MouseEvent('click', { bubbles: true })));
      await page.locator('[data-payment]').waitFor();
      await shoot(page, 'payment');
      await page.keyboard.press('Escape');
    }
  }
  if (states.includes('turned')) {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('[data-turn]').click();
    await shoot(page, 'turned');
  }
  if (states.includes('final')) {
    await play(1_000);
    await shoot(page, 'final');
  }
});
