/** A seat in more windows than the server keeps: the newest win, and the oldest says so and starts no war. */
import { expectAccessible } from './support/checks.ts';
import { expect, SMALL, test } from './support/test.ts';

const PICTURES = process.env.PICTURES;

test('the fifth window takes the place of the first, until that is wanted back', async ({ person, server }) => {
  const first = await person({ ...SMALL, quiet: true }, `${server.address}#new`);
  await first.locator('[data-name]').fill('Ada');
  await first.locator('[data-add]').click();
  await first.locator('[data-create]').click();
  await expect(first.locator('.share input')).toBeVisible();
  const others = [];
  for (let number = 0; number < 4; number += 1) {
    const page = await first.context().newPage();
    await page.goto(first.url());
    await expect(page.locator('.share input')).toBeVisible();
    others.push(page);
  }
  await expect(first.locator('[data-take-over]')).toBeVisible();
  for (const page of others) await expect(page.locator('.share input')).toBeVisible();
  if (PICTURES) await first.screenshot({ path: `${PICTURES}/replaced.png` });
  await expectAccessible(first, 'the page of a window that was replaced');
  await first.locator('[data-take-over]').click();
  await expect(first.locator('.share input')).toBeVisible();
  await expect(others[0]!.locator('[data-take-over]')).toBeVisible();
  await expect(others[3]!.locator('.share input')).toBeVisible();
});
