/** Cardboard and boards of one's own without a server and without a network: counted, made, tried, printed and played. */
import { expectAccessible } from '../support/checks.ts';
import { allKept, expect, ready, test, visit } from './test.ts';

test('a game is counted, and a board made, tried and played, without a network', async ({ host, visitor }) => {
  const context = await visitor();
  const page = await visit(context, host);
  await ready(page);
  await allKept(page);
  const { address } = host;
  await host.end();

  await page.goto(`${address}#/count`);
  await page.locator('[data-count-players]').selectOption('3');
  await page.locator('[data-count-begin]').click();
  await page.locator('[data-count-find]').fill('par zur');
  await page.locator('[data-count-add="paris-zurich"]').click();
  await page.locator('[data-count-tab=score]').click();
  await expect(page.locator('[data-count-score="0"] .total')).not.toHaveText('0', { timeout: 60_000 });
  await expectAccessible(page, 'a count in a page');

  await page.goto(`${address}#/editor`);
  await page.locator('[data-editor-region] option[value=portugal]').waitFor({ state: 'attached', timeout: 60_000 });
  await page.locator('[data-editor-region]').selectOption('portugal');
  await page.locator('[data-editor-size]').selectOption('small');
  await page.locator('[data-editor-make]').click();
  await page.locator('[data-editor-report]').waitFor({ timeout: 120_000 });
  await page.locator('[data-editor-playtest]').click();
  await expect(page.locator('[data-editor-trial]')).toContainText('1,000 games', { timeout: 120_000 });
  await page.locator('[data-editor-played]').click();
  await expect(page.locator('[data-editor-picture] [data-city]').first()).toBeVisible({ timeout: 120_000 });
  await page.locator('[data-editor-tab=file]').click();
  for (const kind of ['tables', 'geojson']) {
    const file = page.waitForEvent('download');
    await page.locator(`[data-editor-${kind}]`).click();
    await file;
  }
  await page.evaluate(() => (globalThis.print = () => (document.title = 'printed')));
  await page.locator('[data-print]').click();
  await expect(page).toHaveTitle('printed', { timeout: 120_000 });
  await page.locator('[data-editor-play]').click();
  await page.locator('.table').waitFor({ timeout: 60_000 });
});

test('a table in a page has a new board every game', async ({ host, visitor }) => {
  const page = await visit(await visitor(), host);
  await page.locator('[data-edition=europe]').waitFor({ timeout: 120_000 });
  await page.locator('[data-edition=new-board]').check({ force: true });
  await page.locator('[data-new-board-region]').selectOption('romania', { timeout: 60_000 });
  await page.locator('[data-new-board-size]').selectOption('small');
  await page.locator('[data-play]').first().click();
  await expect(page.locator('.board [data-city]')).toHaveCount(16, { timeout: 120_000 });
});
