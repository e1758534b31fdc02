// Every page at three widths, in four languages, light and dark: no overflow, no serious finding
// of axe, no error in the console; and everything under a path prefix.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openBrowser, openServer } from './browser.mjs';
import { overflow } from './player.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const at = process.argv.indexOf('--pictures');
const pictures = at < 0 ? null : process.argv[at + 1];
if (pictures) mkdirSync(pictures, { recursive: true });

const browser = await openBrowser();
const server = await openServer();
const findings = [];

async function look(page, name) {
  await page.waitForTimeout(350);
  const { wide, out } = await overflow(page);
  if (wide > 0 || out.length) findings.push(`${name}: ${wide} px too wide; ${out.join('; ')}`);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { preload: false });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 120)} (${node.any[0]?.message ?? ''})`).join(' | ')}`);
  });
  for (const one of found) findings.push(`${name}: ${one}`);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Start, setup, waiting room, first tickets, turn, menu. */
async function visit(width, height, language, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height }, locale: language, colorScheme, bypassCSP: false });
  await context.addInitScript(axe);
  const page = await context.newPage();
  const name = (stage) => `${stage}-${width}-${language}-${colorScheme}`;
  page.on('console', (said) => said.type() === 'error' && findings.push(`${name('console')}: ${said.text()}`));
  page.on('pageerror', (error) => findings.push(`${name('error')}: ${error}`));
  await page.goto(server.address);
  await page.waitForSelector('form .plate.main');
  await look(page, name('start'));
  await page.locator('form .plate').nth(1).click();
  await page.waitForSelector('fieldset');
  await page.locator('fieldset button.plate:not(.bare)').click();
  await look(page, name('setup'));
  await page.locator('form > .plate.main').click();
  await page.waitForSelector('.share input');
  await look(page, name('waiting'));
  await page.goto(server.address);
  await page.waitForSelector('form .plate.main');
  await page.click('form .plate.main');
  await page.waitForSelector('[data-keep]');
  await look(page, name('offer'));
  const tickets = page.locator('.dock .ticket');
  for (let at = 0; !(await page.locator('[data-keep]').isEnabled()); at += 1) await tickets.nth(at).click();
  await page.click('[data-keep]');
  await page.waitForSelector('header.mine');
  await look(page, name('turn'));
  for (const tab of ['tickets', 'players', 'log', 'routes']) {
    const button = page.locator(`[data-tab=${tab}]`);
    if (!(await button.isVisible())) continue;
    await button.click();
    await look(page, name(`tab-${tab}`));
  }
  await page.locator('[data-list-route]:not(.open)').first().click();
  await look(page, name('why-not'));
  await page.locator('header .menu').click();
  await look(page, name('menu'));
  await context.close();
}

/** Behind a proxy, under a path: everything is found, after a reload of a table's page too. */
async function prefixed() {
  const other = await openServer({ port: 18990, env: { PREFIX: '/games/rail/' } });
  try {
    const page = await browser.newPage();
    page.on('console', (said) => said.type() === 'error' && findings.push(`prefix: ${said.text()}`));
    page.on('pageerror', (error) => findings.push(`prefix: ${error}`));
    await page.goto(other.address);
    await page.click('form .plate.main');
    await page.waitForSelector('[data-keep]');
    await page.reload();
    await page.waitForSelector('[data-keep]');
    if (!page.url().includes('/games/rail/table/')) findings.push(`prefix: ${page.url()}`);
    await page.close();
  } finally {
    await other.end();
  }
}

try {
  await prefixed();
  await visit(360, 740, 'en', 'light');
  await visit(768, 1024, 'ro', 'dark');
  await visit(1440, 900, 'es', 'light');
  await visit(1440, 900, 'en', 'dark');
  await visit(360, 740, 'pt', 'dark');
  await visit(360, 740, 'ro', 'light');
} finally {
  await browser.close();
  await server.end();
}
for (const one of new Set(findings)) console.error(one);
process.exit(findings.length ? 1 : 0);
