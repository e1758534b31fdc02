import { expect, ready, test, visit } from './test.ts';
test('tmp', async ({ host, visitor }) => {
  const page = await visit(await visitor(), host);
  await ready(page);
  await page.goto(`${host.address}#/editor`);
  await page.locator('[data-editor-region] option[value=portugal]').waitFor({ state: 'attached', timeout: 60_000 });
  await page.locator('[data-editor-size]').selectOption('small');
  let t = Date.now();
  await page.locator('[data-editor-make]').click();
  await page.locator('[data-editor-report]').waitFor({ timeout: 120_000 });
  console.log('make', Date.now() - t);
  for (let i = 0; i < 3; i++) {
    t = Date.now();
    await page.locator('[data-editor-playtest]').click();
    await page.locator('[data-editor-trial], [role=alert]').first().waitFor({ timeout: 200_000 });
    console.log('playtest', Date.now() - t, await page.locator('[role=alert]').allTextContents());
    await page.waitForTimeout(20000);
  }
});
