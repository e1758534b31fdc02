/** What a page is given that means it harm: records and boards, and a file of games that something else has written. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playBots } from '../support/test.ts';
import { expect, ready, test, visit } from './test.ts';

const RECORD = readFileSync(join(import.meta.dirname, '../../../../tests/game/records/0.1-usa.jsonl'), 'utf8');
const MARKUP = '<img src=x onerror=\\"window.harmed=1\\">';
const RECORDS: Readonly<Record<string, string | Buffer>> = {
  bytes: Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 31) % 256)),
  depth: `${'['.repeat(200_000)}`,
  size: `{"record":"ferrovia","players":["${'a'.repeat(3 << 20)}"]}`,
  'another result': RECORD.replace('"winners":[1]', '"winners":[0]'),
  'a board without an end': RECORD.replace('"edition":"usa"', `"edition":{"id":"x","board":${'{"a":'.repeat(5000)}`),
};

test('records that mean harm are refused, names are text, and the game goes on', async ({ host, visitor }) => {
  const page = await visit(await visitor(), host);
  await ready(page);
  const drop = (name: string, body: string | Buffer): Promise<void> =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'application/jsonl', buffer: Buffer.from(body) });
  await page.goto(`${host.address}#/replay`);
  for (const [name, body] of Object.entries(RECORDS)) {
    await drop(`${name}.jsonl`, body);
    await expect(page.getByRole('alert'), name).not.toBeEmpty();
    await page.goto(host.address);
    await page.goto(`${host.address}#/replay`);
  }
  await drop('markup.jsonl', RECORD.replace('"Player 1"', `"${MARKUP}"`));
  await expect(page.getByText('onerror').first()).toBeAttached();
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  await page.goto(host.address);
  await playBots(page, 'usa');
});

test('a file of games that something else has written is left alone', async ({ browser, host }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${host.address}icon.svg`);
  const name = `ferrovia${new URL(host.address).pathname.replaceAll('/', '.')}log`;
  const write = async (file: string): Promise<void> => {
    const folder = await navigator.storage.getDirectory();
    const stream = await (await folder.getFileHandle(file, { create: true })).createWritable();
    await stream.write('a letter to somebody');
    await stream.close();
  };
  const read = async (file: string): Promise<string> => {
    const folder = await navigator.storage.getDirectory();
    return (await (await folder.getFileHandle(file)).getFile()).text();
  };
  await page.evaluate(write, name);
  await page.goto(host.address);
  await expect(page.locator('[data-page-problem]')).toBeVisible({ timeout: 120_000 });
  expect(await page.evaluate(read, name)).toBe('a letter to somebody');
  await context.close();
});

test('no page of anybody else is loaded or asked', async ({ browser, host }) => {
  const context = await browser.newContext(); // what is refused is told in its console
  const page = await visit(context, host);
  await ready(page);
  const refused = await page.evaluate(async () => {
    const violated: string[] = [];
    document.addEventListener('securitypolicyviolation', (it) => violated.push(it.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'window.harmed = 1';
    const elsewhere = document.createElement('img');
    elsewhere.src = 'http://127.0.0.2/spy.png';
    document.body.append(script, elsewhere);
    const frame = document.createElement('iframe');
    frame.src = 'http://127.0.0.2/';
    document.body.append(frame);
    await fetch('http://127.0.0.2/').catch(() => undefined);
    await new Promise((done) => setTimeout(done, 200));
    return { violated: [...new Set(violated)].sort(), harmed: 'harmed' in window };
  });
  expect(refused.harmed).toBe(false);
  expect(refused.violated).toEqual(['connect-src', 'frame-src', 'img-src', 'script-src-elem']);
  await context.close();
});

test('whoever left before everything was kept gets a newer version whole', async ({ browser, host }) => {
  const context = await browser.newContext(); // what is refused is told in its console
  let page = await visit(context, host);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.close();
  let worker = host.read('service-worker.js');
  const change = (name: string, to: (text: string) => string): void => {
    const text = to(host.read(name));
    host.changed.set(name, text).set(`${name}.gz`, null);
    const digest = createHash('sha256').update(text).digest('hex');
    worker = worker.replace(new RegExp(`"${name}": "[0-9a-f]{64}"`), `"${name}": "${digest}"`);
  };
  change('index.html', (text) => text.replace('<title>', '<meta name="newer" content="yes" /><title>'));
  change('python/pyodide.mjs', (text) => `${text}\n// newer`);
  host.changed.set('service-worker.js', worker);
  page = await visit(context, host);
  await expect(page.locator('meta[name=newer]')).toHaveCount(1);
  await expect(async () => {
    await expect(page.getByText('Play now')).toBeVisible({ timeout: 2000 });
    await expect(page.locator('[data-page-loading], [data-page-problem]')).toHaveCount(0, { timeout: 2000 });
  }).toPass({ timeout: 240_000 });
  await page.getByText('Play now').click();
  await page.locator('.table').waitFor();
  await context.close();
});

test('a file of another version is not taken, also at the first visit', async ({ browser, host }) => {
  const context = await browser.newContext(); // what is refused is told in its console
  const own = host.read('python/pyodide.mjs');
  host.changed.set('python/pyodide.mjs.gz', null);
  host.changed.set('python/pyodide.mjs', `fetch('./taken');${own}`);
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  let page = await visit(context, host);
  await expect(page.locator('[data-page-problem]')).toBeVisible({ timeout: 120_000 });
  expect(asked.filter((url) => url.endsWith('/taken'))).toEqual([]);
  host.changed.clear();
  await page.close();
  page = await visit(context, host);
  await ready(page);
  await context.close();
});
