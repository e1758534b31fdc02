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

test('names, curves and places are settled by hand, and the board is shown as it is played', async ({
  person,
  server,
}) => {
  const page = await person({ viewport: sized(1280), drawn: true }, `${server.address}#/editor`);
  await page.locator('[data-editor-files]').setInputFiles(GALLERY);
  await ready(page);
  const drag = async (from: { x: number; y: number }, x: number, y: number) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + x, from.y + y, { steps: 6 });
    await page.mouse.up();
  };
  const boxOf = async (selector: string) => {
    const box = (await page.locator(selector).first().boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const braganca = await middle(page, 'braganca');
  await drag(await boxOf('[data-editor-label=braganca]'), 0, 45);
  await expect(page.locator('[data-editor-side=braganca]')).toHaveValue('s');
  expect((await boxOf('[data-editor-label=braganca]')).y).toBeGreaterThan(braganca.y);
  await page.locator('[data-editor-fixed=braganca]').check();

  const route = page.locator('[data-editor-route="santarem-evora"] rect');
  await route.nth(1).click();
  await drag(await boxOf('[data-editor-handle]'), 25, -25);
  const bend = page.locator('[data-editor-bend="santarem-evora"]');
  await expect(bend).not.toHaveValue('');
  const bent = Number(await bend.inputValue());
  expect(Math.abs(bent)).toBeGreaterThan(5);
  await page.locator('[data-editor-undo]').click();
  await expect(bend).toHaveValue('');
  await page.locator('[data-editor-redo]').click();
  await page.locator('[data-editor-played]').click();
  await expect(page.locator('[data-editor-picture] [data-city=braganca]')).toBeVisible();
  await expectAccessible(page, 'a board as it is played');
  const file = page.waitForEvent('download');
  await page.locator('[data-editor-tab=file]').click();
  await page.locator('[data-editor-export]').click();
  const written = JSON.parse(readFileSync(await (await file).path(), 'utf8')) as {
    cities: { id: string }[];
    routes: { id: string }[];
  };
  expect(written.cities.find(({ id }) => id === 'braganca')).toMatchObject({ side: 's', fixed: true });
  expect(written.routes.find(({ id }) => id === 'santarem-evora')).toMatchObject({ bend: bent });
});

test('a file on the disk and the page follow each other, and nothing that either wrote is lost', async ({
  person,
  server,
}) => {
  const page = await person({ viewport: sized(1280) }, server.address);
  const disk = { text: readFileSync(GALLERY, 'utf8'), version: 1 };
  await page.route('**/api/workshop/file*', async (route) => {
    const request = route.request();
    if (request.method() === 'POST') {
      const { board, after } = request.postDataJSON() as { board: string; after: string };
      if (after !== String(disk.version)) return route.fulfill({ status: 422, json: { code: 'stale', detail: '' } });
      disk.text = board;
      disk.version += 1;
      return route.fulfill({ json: { version: String(disk.version) } });
    }
    const known = new URL(request.url()).searchParams.get('known') === String(disk.version);
    return route.fulfill({
      json: { name: 'mine.json', version: String(disk.version), board: known ? null : disk.text },
    });
  });
  const write = (text: string) => {
    disk.text = text;
    disk.version += 1;
  };
  await page.goto(`${server.address}#/editor/file`);
  await expect(page.locator('[data-editor-label=lisboa]')).toHaveText('Lisboa');
  await page.locator('[data-editor-tab=cities]').click();
  await page.locator('[data-editor-city-name=lisboa]').fill('Lissabon');
  await page.locator('[data-editor-city-name=lisboa]').blur();
  await expect.poll(() => disk.text).toContain('Lissabon');
  write(disk.text.replace('Lissabon', 'Olisipo'));
  await expect(page.locator('[data-editor-label=lisboa]')).toHaveText('Olisipo');
  await page.locator('[data-editor-undo]').click();
  await expect.poll(() => disk.text).toContain('Lissabon');
  // Half a file, as an editor may leave it for a moment, is not written over.
  const whole = disk.text;
  write(whole.slice(0, 900));
  await expect(page.locator('[data-editor-file-problem]')).toContainText('mine.json');
  await page.locator('[data-editor-redo]').click();
  write(whole.replace('Lissabon', 'Ulisseia'));
  await expect(page.locator('[data-editor-label=lisboa]')).toHaveText('Ulisseia');
  await page.locator('[data-editor-undo]').click();
  await expect(page.locator('[data-editor-label=lisboa]')).toHaveText('Olisipo');
  await expect.poll(() => disk.text).toContain('Olisipo');
  await expect(page.locator('[data-editor-file-problem]')).toHaveCount(0);
  // What this browser keeps of its own is another board.
  await page.goto(`${server.address}#/editor`);
  await expect(page.locator('[data-editor-region]')).toBeVisible();
});

test('a city comes by its name, a second deck stands beside the first, and the board goes on in a link', async ({
  person,
  server,
}) => {
  const page = await person({ viewport: sized(1280) }, `${server.address}#/editor`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('[data-editor-files]').setInputFiles(GALLERY);
  await ready(page);
  await page.locator('[data-editor-tab=cities]').click();
  await page.locator('[data-editor-name]').fill('salam');
  await page.locator('[data-editor-found=Salamanca]').first().click();
  await expect(page.locator('[data-editor-city=salamanca]')).toHaveCount(1);
  expect(Number(await page.locator('fieldset input[type=number]').first().inputValue())).toBeCloseTo(41, 0);
  await page.locator('[data-editor-undo]').click();
  await page.locator('[data-editor-tab=tickets]').click();
  await page.locator('[data-editor-new-deck]').click();
  await page.locator('[data-editor-search]').click();
  await page.locator('[data-editor-decks]').click();
  await expect(page.locator('[data-editor-deck-table] th[scope=col]')).toHaveCount(3);
  await page.locator('[data-editor-deck-used]').uncheck();
  await page.locator('[data-editor-tab=file]').click();
  await page.locator('[data-editor-share]').click();
  await expect(page.locator('[data-editor-share]')).toHaveText('Copied');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await person({ viewport: sized(360) }, link);
  await ready(other);
  await other.locator('[data-editor-tab=tickets]').click();
  await expect(other.locator('[data-editor-deck] option')).toHaveCount(2);
  await other.locator('[data-editor-deck]').selectOption('deck');
  await expect(other.locator('[data-editor-deck-used]')).not.toBeChecked();
  expect(other.url()).toMatch(/#\/editor$/);
  await other.goto(`${server.address}#/editor/board/AAAA`); // what is no board changes nothing
  await other.reload();
  await expect(other.locator('[data-editor-city=lisboa]')).toBeVisible();
});

test('sixty cities and a hundred and twenty routes follow a finger', async ({ person, server }) => {
  const page = await person({ viewport: sized(1280), drawn: true }, `${server.address}#/editor`);
  const city = (number: number) => ({
    id: `c${number}`,
    name: `City ${number}`,
    lat: 40 + Math.floor(number / 10),
    lon: 1.4 * (number % 10),
  });
  const cities = Array.from({ length: 60 }, (_, number) => city(number));
  const ends = cities.flatMap((_, n) => [
    ...(n % 10 < 9 ? [[n, n + 1]] : []),
    ...(n < 50 ? [[n, n + 10]] : []),
    ...(n % 10 < 9 && n < 20 ? [[n, n + 11]] : []),
  ]);
  const routes = ends
    .slice(0, 120)
    .map(([a, b]) => ({ id: `c${a}-c${b}`, a: `c${a}`, b: `c${b}`, length: 4, color: 'gray', bend: 10 }));
  const text = JSON.stringify({ board: 'large', cities, routes, tickets: [], edition: { name: 'Large' } });
  await page
    .locator('[data-editor-files]')
    .setInputFiles({ name: 'large.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(page.locator('[data-editor-route]')).toHaveCount(120);
  const at = await middle(page, 'c34');
  const median = await page.evaluate(async ({ x, y }) => {
    const map = document.querySelector('[data-editor-map]')!;
    const send = (type: string, dx: number) =>
      map.dispatchEvent(
        new PointerEvent(type, { clientX: x + dx, clientY: y, pointerId: 1, isPrimary: true, bubbles: true }),
      );
    map.setPointerCapture = () => {}; // no finger is really there
    send('pointerdown', 0);
    const steps: number[] = [];
    for (let step = 1; step <= 60; step += 1) {
      const began = performance.now();
      send('pointermove', step / 2);
      await Promise.resolve().then(() => map.getBoundingClientRect()); // what changed is in the page
      steps.push(performance.now() - began);
      await new Promise((done) => requestAnimationFrame(done));
    }
    send('pointerup', 30);
    return steps.sort((a, b) => a - b)[30]!;
  }, at);
  console.log(`a step of a dragged city takes ${median.toFixed(1)} ms`);
  expect((await middle(page, 'c34')).x - at.x).toBeGreaterThan(25);
  expect(median).toBeLessThan(16); // a frame; 5 ms where nothing else runs
});

test('a table has a new board every game', async ({ person, server }) => {
  const page = await person({ viewport: sized(360) }, server.address);
  await page.locator('[data-edition=europe]').waitFor();
  await page.locator('[data-edition=new-board]').check({ force: true });
  await page.locator('[data-new-board-region]').selectOption('romania');
  await page.locator('[data-new-board-size]').selectOption('small');
  await expectClear(page, 'start with a new board, 360 px');
  await expectAccessible(page, 'start with a new board');
  await page.locator('[data-play]').first().click();
  await page.locator('.table').waitFor();
  await expect(page.locator('.board [data-city]')).toHaveCount(16);
});
