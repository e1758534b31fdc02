// What the game in a page reaches in a real browser, printed as a section of the benchmark page: `make page`, then
// `node scripts/page_bench.mjs`. Four times slower: all processes of the browser are stopped three quarters of the time.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'build/page');
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};
const PACKED = /\.(woff2|png|npz|gz)$/;
const ROUNDS = 5;
const GAMES = 2000;

/** Random games of europe with four seats in the kernel: the same lines run in the page's Python and in ours. */
const RANDOM_GAMES = `
import random, time
from ferrovia.boards import load_edition
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.rules import calls
from ferrovia.rules.state.layout import SCORE, STATE
book = lexicon_of(load_edition("europe")).book
states, scores = STATE.new(${GAMES}), SCORE.new(${GAMES})
seeds = random.Random(4).randbytes(32 * ${GAMES})
calls.play_random_games(book, states, scores, seeds, 4)
began = time.perf_counter()
calls.play_random_games(book, states, scores, seeds, 4)
rate = ${GAMES} / (time.perf_counter() - began)
`;
const KERNEL_WORKER = `
import { loadPyodide } from './python/pyodide.mjs';
onmessage = async () => {
  const bytes = async (name) => new Uint8Array(await (await fetch('./python/' + name)).arrayBuffer());
  const library = URL.createObjectURL(new Blob([await bytes('standard-library.zip')]));
  const python = await loadPyodide({ indexURL: new URL('./python/', location.href).href, stdLibURL: library });
  python.unpackArchive(await bytes('ferrovia.zip'), 'zip', { extractDir: '/ferrovia' });
  python.runPython('import sys; sys.path.insert(0, "/ferrovia")');
  onmessage = () => {
    python.runPython(${JSON.stringify(RANDOM_GAMES)});
    postMessage(python.globals.get('rate'));
  };
  postMessage('ready');
};
`;

const asked = new Set();
const server = createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, 'http://host').pathname).slice(1) || 'index.html';
  const file = join(FOLDER, name);
  const own = name === 'bench.worker.js';
  if (!own && !(existsSync(file) && statSync(file).isFile())) return void response.writeHead(404).end();
  if (!own) asked.add(name.replace(/(?<!jsonl)\.gz$/, ''));
  response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' });
  response.end(own ? KERNEL_WORKER : readFileSync(file));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;

const packed = (names, pack) =>
  [...names].reduce((sum, name) => {
    const data = readFileSync(join(FOLDER, name));
    return sum + (PACKED.test(name) ? data.length : pack(data).length);
  }, 0);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || CHROMIUMS.find((one) => existsSync(one)),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
/** The processes of the browser, which alone are started by this one while it waits. */
const processes = () => descendants(process.pid).slice(1);

/** Do something while the browser has a quarter of its time. */
async function fourTimesSlower(act) {
  const QUARTER = 10;
  let going = true;
  let pids = processes();
  const signal = (name) => {
    for (const pid of pids)
      try {
        process.kill(pid, name);
      } catch {
        // it has ended
      }
  };
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const slowing = (async () => {
    for (let round = 0; going; round += 1) {
      if (round % 10 === 0) pids = processes();
      signal('SIGSTOP');
      await wait(3 * QUARTER);
      signal('SIGCONT');
      await wait(QUARTER);
    }
  })();
  try {
    return await act();
  } finally {
    going = false;
    await slowing;
  }
}

function descendants(pid) {
  const children = new Map();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // it has ended
    }
  }
  const found = [pid];
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found;
}

/** Somebody with an empty browser, which notes when the start page and when the first tickets are drawn. */
async function visitor(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en', ...options });
  await context.addInitScript(() => {
    for (const [key, value] of Object.entries({ visited: '1', hold: '0', pace: '0' }))
      localStorage[`ferrovia.${key}`] ??= value;
    const look = () => {
      if (!document.querySelector('[data-play]')) return requestAnimationFrame(look);
      return requestAnimationFrame(() => (globalThis.drawn = performance.now()));
    };
    look();
  });
  return context;
}

/** Open the page and press “Play now”; the milliseconds until the page is drawn, and from then on until the first move. */
async function begin(context) {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => 'drawn' in globalThis);
  const { drawn, until } = await page.evaluate(() => ({
    drawn: globalThis.drawn,
    until: performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= globalThis.drawn)
      .map(({ name }) => name.slice(new URL('./', document.baseURI).href.length)),
  }));
  await page.locator('[data-edition=usa]').check();
  await page.locator('[data-opponents]').selectOption('1');
  const pressed = performance.now();
  await page.locator('[data-play]').click();
  await page.locator('.dock .ticket[aria-pressed]').first().waitFor({ timeout: 120_000 });
  return { page, drawn, until: new Set(['index.html', ...until]), first: performance.now() - pressed };
}

/** Runs in the page, as a tab of its own: play a game against a bot; the milliseconds of moves and of decisions. */
async function play({ bot, most }) {
  const name = `ferrovia ${new URL('./', document.baseURI).pathname}`;
  const channel = new BroadcastChannel(name);
  const tab = crypto.randomUUID();
  void navigator.locks.request(`${name} tab ${tab}`, () => new Promise(() => undefined));
  const say = (message) => channel.postMessage({ ...message, tab });
  let heard = () => undefined;
  channel.onmessage = ({ data }) => data.to === tab && heard(data);
  const seats = [
    { kind: 'person', name: 'Ada' },
    { kind: 'bot', bot },
  ];
  const wanted = { edition: 'usa', seats, seed: '5'.repeat(64) };
  const { table, held } = await new Promise((done) => {
    heard = ({ answer }) => answer && done(JSON.parse(new TextDecoder().decode(answer.body)));
    const body = new TextEncoder().encode(JSON.stringify(wanted));
    const headers = [['content-type', 'application/json']];
    say({ kind: 'request', number: 1, asked: { method: 'POST', path: '/api/tables', headers, body } });
  });
  const [moves, decisions] = [[], []];
  let [number, sent, at, mine, bots] = [-1, 0, 0, false, 0];
  await new Promise((done) => {
    heard = ({ kind, text }) => {
      if (kind !== 'said') return;
      const state = JSON.parse(text);
      if (state.type !== 'state' || state.number === number) return;
      const now = performance.now();
      if (mine) moves.push(now - at);
      else if (bots) decisions.push((now - bots) / (state.number - number));
      number = state.number;
      bots = now;
      mine = false;
      if (state.table.status === 'over' || sent === most) return done();
      const actions = state.own?.moves?.actions;
      if (!actions?.length) return;
      sent += 1;
      mine = true;
      const claims = actions.filter((one) => one.startsWith('claim'));
      const action = (claims.length ? claims : actions)[0];
      at = performance.now();
      const decision = { type: 'decide', id: `m${sent}`, known: number, action };
      say({ kind: 'say', socket: 1, text: JSON.stringify(decision) });
    };
    say({ kind: 'open', socket: 1 });
    const hello = { type: 'hello', table, token: held[0].token, known: 0 };
    say({ kind: 'say', socket: 1, text: JSON.stringify(hello) });
  });
  channel.close();
  return { moves, decisions };
}

/** The memory of all tabs and their workers, in megabytes: what no other process has. */
function memory() {
  let sum = 0;
  for (const pid of processes()) {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) continue;
    const told = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    for (const [, size] of told.matchAll(/^(?:Private_Dirty|Swap):\s+(\d+)/gm)) sum += Number(size);
  }
  return sum / 1000;
}

/** Games a second in the page's kernel and in ours, by turns. */
async function kernels(page) {
  await page.evaluate(
    () =>
      new Promise((done) => {
        const worker = new Worker('./bench.worker.js', { type: 'module' });
        globalThis.kernel = () =>
          new Promise((rate) => {
            worker.onmessage = ({ data }) => rate(data);
            worker.postMessage('play');
          });
        worker.onmessage = done;
        worker.postMessage('begin');
      }),
  );
  const [inPage, native] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    inPage.push(await page.evaluate(() => globalThis.kernel()));
    const done = spawnSync(join(ROOT, '.venv/bin/python'), ['-c', `${RANDOM_GAMES}print(rate)`], { encoding: 'utf8' });
    native.push(Number(done.stdout));
  }
  return { inPage: median(inPage), native: median(native) };
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;
const rows = [];
const row = (what, wanted, figure) => {
  rows.push(`| ${what} | ${wanted} | ${figure} |`);
  console.error(rows.at(-1)); // it takes minutes
};

const context = await visitor();
const cold = await begin(context);
row('start page drawn', '≤ 1 s', seconds(cold.drawn));
row('... first download until then, gzip', '≤ 200 KB', `${Math.round(packed(cold.until, gzipSync) / 1000)} KB`);
row('from “Play now” to the first move possible, cold', '≤ 5 s', seconds(cold.first));
await cold.page.locator('[data-page-loading]').waitFor({ state: 'detached' });
await cold.page.waitForTimeout(15_000); // all else is kept meanwhile
const warm = [];
const slow = [];
await cold.page.close();
for (let round = 0; round < ROUNDS; round += 1) {
  const { page, first } = await begin(context);
  warm.push(first);
  await page.close();
}
await fourTimesSlower(async () => {
  for (let round = 0; round < 3; round += 1) {
    const { page, first } = await begin(context);
    slow.push(first);
    await page.close();
  }
});
row('... warm, median', '≤ 3 s', seconds(median(warm)));
row('... warm, four times slower, median', '≤ 12 s', seconds(median(slow)));

// What a game needs is what is asked for without a worker that keeps more.
await context.close();
asked.clear();
const bare = await visitor({ serviceWorkers: 'block' });
const { page } = await begin(bare);
const driver = await page.evaluate(play, { bot: 'driver', most: 1000 });
const needed = [...asked].filter((name) => !name.endsWith('.npz'));
row(
  'everything for a game against bots, brotli / gzip',
  '≤ 6 / ≤ 8 MB',
  `${(packed(needed, brotliCompressSync) / 1e6).toFixed(2)} / ${(packed(needed, gzipSync) / 1e6).toFixed(2)} MB`,
);
row('memory after a whole game', '≤ 250 MB', `${Math.round(memory())} MB`);
const director = await page.evaluate(play, { bot: 'director', most: 40 });
const nets = [...asked].filter((name) => name.endsWith('.npz'));
row(
  'a move of one’s own, until it is told: median, worst',
  '≤ 100 ms',
  `${median(driver.moves).toFixed(0)}, ${Math.max(...driver.moves).toFixed(0)} ms`,
);
row(
  'a decision of Driver: median, worst',
  '≤ 100 ms',
  `${median(driver.decisions).toFixed(0)}, ${Math.max(...driver.decisions).toFixed(0)} ms`,
);
row(
  'a decision of Director, two seats: median, worst',
  '≤ 2 s',
  `${seconds(median(director.decisions))}, ${seconds(Math.max(...director.decisions))}`,
);
const { inPage, native } = await kernels(page);
row(
  'random games a second in the page’s kernel, beside native',
  '≥ 0.8',
  `${(inPage / native).toFixed(2)} (${Math.round(inPage).toLocaleString('en')} beside ${Math.round(native).toLocaleString('en')})`,
);

console.log(`
## The game in a page

Printed by \`node web/scripts/page_bench.mjs\` in Chromium ${browser.version()}, from a host of plain files on this machine. Four times slower:
every process of the browser is stopped for three quarters of the time.

| what | wanted | measured |
|---|---|---|
${rows.join('\n')}
| ... nets on demand | | ${nets.map((name) => `${name.split('/').at(-1)} ${(statSync(join(FOLDER, name)).size / 1e6).toFixed(1)} MB`).join(', ')} |
`);
await browser.close();
server.close();
