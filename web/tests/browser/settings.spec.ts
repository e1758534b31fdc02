/** Settings in one place, for every page of this browser. */
import { expectAccessible, expectClear, LANGUAGES } from './support/checks.ts';
import { expect, playBots, sized, test } from './support/test.ts';

const PICTURES = process.env.PICTURES;

/** Runs in the page: what can be chosen and does not fit into its field. */
function cutChoices(root: Element): string[] {
  const ARROW = 20; // pixels
  const context = document.createElement('canvas').getContext('2d')!;
  return [...root.querySelectorAll('select')].flatMap((select) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    context.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - ARROW;
    return [...select.options].map((option) => option.text).filter((text) => context.measureText(text).width > room);
  });
}

test('settings are in one place, and hold for every page of this browser', async ({ person }) => {
  const page = await person({ viewport: sized(360), colorScheme: 'light' });
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.locator('[data-open-settings]').click();
  await page.locator('[data-theme-choice]').selectOption('light');
  await expect(root).toHaveAttribute('data-theme', 'light');
  for (const language of LANGUAGES) {
    await page.locator('dialog [data-language]').selectOption(language);
    await expect(root).toHaveAttribute('lang', language);
    expect(await page.locator('dialog').evaluate(cutChoices), language).toEqual([]);
  }
  await page.locator('dialog [data-language]').selectOption('en');
  await page.locator('[data-text-size]').selectOption('130');
  await page.locator('[data-symbols-choice]').uncheck();
  await expectAccessible(page, 'settings');
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/settings.png` });
  await page.keyboard.press('Escape');
  await playBots(page, 'usa');
  await page.locator('[data-keep]').waitFor();
  await expectClear(page, 'table with large text');
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/large-text.png` });
  expect(await page.locator('.card .symbol').first().isVisible()).toBe(false);
  await page.locator('header .menu').click();
  await page.locator('[data-open-about]').click();
  await expect(page.locator('[data-about] code').last()).toHaveText(/^[0-9a-f]{64}$/);
  await page.keyboard.press('Escape');
  await expect(page.locator('header .menu')).toBeFocused();
});
