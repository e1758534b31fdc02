/** A board of one's own: from a region or another editor's files to a game at once, by pointer and in lists. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expectAccessible, expectClear } from './support/checks.ts';
import { expect, sized, test, WIDTHS, type Page } from './support/test.ts';

const GALLERY = fileURLToPath(new URL('../../../gallery/portugal.json', import.meta.url));
const ready = (page: Page) => page.locator('[data-editor-report]').waitFor();
const middle = async (page: Page, city: string) => {
  const box = (await page.locator(`[data-editor-city="${city}"] circle`).boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

test('a region becomes a board, is changed by hand, given tickets, tried by bots and played', async ({
  person,
  server,
}) => {
  const page = await person({ viewport: sized(1280), drawn: true }, `${server.address}#/editor`);
  await page.locator('[data-editor-region] option[value=portugal]').waitFor({ state: 'attached' });
  await page.locator('[data-editor-region]').selectOption('portugal');
  await page.locator('[data-editor-size]').selectOption('small');
  await page.locator('[data-editor-seed]').fill('7');
  await page.locator('[data-editor-make]').click();
  await ready(page);
  const routes = page.locator('[data-editor-route]');
  const before = await routes.count();

  const from = await middle(page, 'porto');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 10, { steps: 6 });
  await page.mouse.up();
  const moved = await middle(page, 'porto');
  expect(Math.abs(moved.x - from.x - 60)).toBeLessThan(3);
  await page.locator('[data-editor-undo]').click();
  expect(Math.abs((await middle(page, 'porto')).x - from.x)).toBeLessThan(1);
  await page.locator('[data-editor-redo]').click();

  await page.locator('[data-editor-tool=route]').click();
  const [a, b] = [await middle(page, 'porto'), await middle(page, 'lisbon')];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y, { steps: 6 });
  await page.mouse.up();
  await expect(routes).toHaveCount(before + 1);
  await page.locator('[data-editor-color]').selectOption('red');
  await page.locator('[data-editor-tool=choose]').click();

  await page.reload(); // it is kept
  await expect(routes).toHaveCount(before + 1);
  await page.locator('[data-editor-tab=tickets]').click();
  await page.locator('[data-editor-search]').click();
  await expect(page.locator('[data-editor-undo]')).toBeEnabled();
  await page.locator('[data-editor-tab=report]').click();
  await ready(page);
  await page.locator('[data-editor-playtest]').click();
  await expect(page.locator('[data-editor-trial]')).toContainText('1,000 games');
  // The same deals on the board as it was: with half the trains its tickets are not finished.
  await page.locator('[data-editor-tab=file]').click();
  await page.locator('[data-editor-trains]').fill('10');
  await page.locator('[data-editor-trains]').blur();
  await page.locator('[data-editor-tab=report]').click();
  await page.locator('[data-playtest-against]').selectOption('last');
  await page.locator('[data-editor-playtest]').click();
  await expect(page.locator('[data-playtest-verdict]').first()).toHaveAttribute('data-playtest-verdict', 'worse');
  await page.locator('[data-editor-undo]').click();
  for (const tab of ['cities', 'routes', 'tickets', 'report', 'file'])
    for (const width of WIDTHS) {
      await page.setViewportSize(sized(width));
      await page.locator(`[data-editor-tab=${tab}]`).click();
      await expectClear(page, `editor ${tab}, ${width} px`);
      await expectAccessible(page, `editor ${tab}, ${width} px`);
    }
  await page.locator('[data-editor-play]').click();
  await page.locator('.table').waitFor();
});

test('a board is printed, by the browser where there is no PDF, and kept as a picture of paths', async ({
  person,
  server,
}) => {
  const page = await person({ viewport: sized(1280) }, `${server.address}#/editor`);
  await page.locator('[data-editor-files]').setInputFiles(GALLERY);
  await ready(page);
  await page.locator('[data-editor-tab=file]').click();
  const picture = page.waitForEvent('download');
  await page.locator('[data-print-svg]').click();
  const svg = readFileSync(await (await picture).path(), 'utf8');
  expect(svg).toContain('width="210mm"');
  expect(svg).not.toContain('<text');

  // Where no PDF can be made, as in a page, the same sheets come without one.
  await page.route('**/api/workshop/works', (route) => {
    const body = route.request().postDataJSON() as { work: string; form?: string };
    return route.continue({ postData: JSON.stringify(body.work === 'print' ? { ...body, form: 'svg' } : body) });
  });
  await page.evaluate(() => {
    globalThis.print = () =>
      (document.title = [...document.querySelectorAll('.paper svg')].map((one) => one.getAttribute('width')).join());
  });
  await page.locator('[data-print-what]').selectOption('tickets');
  await page.locator('[data-print]').click();
  await expect(page).toHaveTitle('297mm,297mm,297mm,297mm');
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.paper svg').first()).toBeVisible();
  await expect(page.locator('main')).toBeHidden();
});

test("another editor's tables are opened, and what is wrong is said with its line", async ({ person, server }) => {
  const page = await person({ viewport: sized(1280) }, `${server.address}#/editor`);
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') });
  await page
    .locator('[data-editor-files]')
    .setInputFiles([
      file('stops.csv', 'Name;X;Y\r\nHarbour;100;650\r\nHill Town;400;400\r\nÅby;700;300\r\nMill;900;600\r\n'),
      file(
        'routes.csv',
        'From;To;Length;Colour;Locomotives\r\nHarbour;Hill Town;3;Red;\r\nHill Town;Åby;4;Grey;\r\nÅby;Mill;2;Blue;\r\nMill;Harbour;5;Green;1\r\n',
      ),
    ]);
  await expect(page.locator('[data-editor-notes]')).toContainText('grey now');
  await expect(page.locator('[data-editor-city]')).toHaveCount(4);
  await page.locator('[data-editor-tab=report]').click();
  await expect(page.locator('[data-editor-problems]')).toContainText('tickets');
  await expect(page.locator('[data-editor-play]')).toBeDisabled();
});
