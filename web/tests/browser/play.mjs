// Whole games against bots, by clicks, at two widths; pictures of every stage into --pictures DIR.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openServer } from './browser.mjs';
import { overflow, playOut } from './player.mjs';

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const pictures = argument('pictures', null);
const edition = argument('edition', 'europe');
const widths = argument('widths', '360,1440').split(',').map(Number);
const opponents = argument('opponents', '2');
const language = argument('language', 'en');
const dark = argument('dark', '') === '1';
const HEIGHTS = { 360: 740, 768: 1024, 1440: 900 };
if (pictures) mkdirSync(pictures, { recursive: true });

const browser = await openBrowser();
const server = await openServer();
let failed = false;
try {
  for (const width of widths) {
    const context = await browser.newContext({
      viewport: { width, height: HEIGHTS[width] ?? 800 },
      locale: language,
      colorScheme: dark ? 'dark' : 'light',
    });
    const page = await context.newPage();
    const problems = [];
    page.on('console', (said) => said.type() === 'error' && problems.push(said.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    const shot = new Set();
    const seen = async (on, stage) => {
      if (shot.has(stage)) return;
      shot.add(stage);
      const { wide, out } = await overflow(on);
      if (wide > 0 || out.length) problems.push(`${stage} at ${width}: ${wide} px too wide; ${out.join('; ')}`);
      if (pictures) await on.screenshot({ path: join(pictures, `${edition}-${width}-${stage}.png`) });
    };
    await page.goto(server.address);
    await page.waitForSelector('form .plate.main');
    await page.waitForTimeout(300);
    await seen(page, 'start');
    await page.fill('input[type=text]', 'Ada');
    await page.locator('select').nth(1).selectOption(edition);
    await page.locator('select').nth(2).selectOption(opponents);
    const began = Date.now();
    await page.click('form .plate.main');
    await page.waitForSelector('[data-keep]');
    console.log(`${width}: a game after ${Date.now() - began} ms`);
    const kinds = await playOut(page, seen);
    await seen(page, 'final');
    const ticket = page.locator('.final .ticket').first();
    if (await ticket.isVisible()) await ticket.click();
    await seen(page, 'final-way');
    console.log(`${width}: ${JSON.stringify(kinds)}, ${((Date.now() - began) / 1000).toFixed(0)} s`);
    await page.reload();
    await page.waitForSelector('.final');
    await page.click('[data-rematch]');
    await page.waitForSelector('[data-keep]');
    for (const problem of problems) console.error(problem);
    failed ||= problems.length > 0;
    await context.close();
  }
} finally {
  await browser.close();
  await server.end();
}
process.exit(failed ? 1 : 0);
