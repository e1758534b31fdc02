/** A seat in two windows: the newest plays, and the older says so and starts no war. */
import { expectAccessible } from '../support/checks.ts';
import { expect, SMALL, test } from '../support/test.ts';

const PICTURES = process.env.PICTURES;

test('the newest window takes the place of the older, until that is wanted back', async ({ person, server }) => {
  const first = await person({ ...SMALL, quiet: true }, `${server.address}#new`);
  await first.locator('[data-name]').fill('Ada');
  await first.locator('[data-add]').click();
  await first.locator('[data-create]').click();
  await expect(first.locator('.share input')).toBeVisible();
  const second = await first.context().newPage();
  await second.goto(first.url());
  await expect(second.locator('.share input')).toBeVisible();
  await expect(first.locator('[data-take-over]')).toBeVisible();
  if (PICTURES) await first.screenshot({ path: `${PICTURES}/replaced.png` });
  await expectAccessible(first, 'the page of a window that was replaced');
  await first.locator('[data-take-over]').click();
  await expect(first.locator('.share input')).toBeVisible();
  await expect(second.locator('[data-take-over]')).toBeVisible();
});
