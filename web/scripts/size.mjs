// What a player downloads, gzipped, and the limits that it must keep: 140 KB of JavaScript for the table, 160 KB for
// the film with the table's, and 180 KB for the workshop. All count everything that is loaded for them at once or
// later, and one language.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LIMITS = { table: 140_000, film: 160_000, editor: 180_000 };
const folder = fileURLToPath(new URL('../../src/ferrovia/server/client', import.meta.url));

const files = (at) =>
  readdirSync(at).flatMap((name) => {
    const path = join(at, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
const packed = (path) => gzipSync(readFileSync(path)).length;

const chunks = new Map(
  files(join(folder, 'assets'))
    .filter((path) => path.endsWith('.js'))
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      const names = (pattern) => [...text.matchAll(pattern)].map((match) => basename(match[1]));
      return [
        basename(path),
        {
          size: packed(path),
          now: names(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g),
          later: names(/import\(\s*["'`]\.\/([^"'`]+\.js)["'`]/g),
        },
      ];
    }),
);
const languages = new URL('../../src/ferrovia/languages.json', import.meta.url);
const LANGUAGE = new RegExp(`^(${Object.keys(JSON.parse(readFileSync(languages, 'utf8'))).join('|')})-`);
const FILM = /^ReplayPage-/;
const EDITOR = /^EditorPage-/;
/** What neither of the two loads: other pages, a device that is shared, a room, a stream, the notices of slow games, and the analysis and the maker of clips until they are asked for. */
const PAGES =
  /^((?!TablePage)[A-Z]\w*Page|Start|Setup|Waiting|Invitation|Poster|PortraitChoice|SeatList|Myself|HotSeat|Room\w+|Overlay|AskIn|Door|AnalysisPanel|SlowNotices|gif)-/;

/** Return the chunks that are loaded from some on, without languages, pages and what `leaves` them out. */
function loaded(from, leaves) {
  const found = new Set();
  const queue = [...from];
  while (queue.length) {
    const name = queue.pop();
    if (found.has(name) || !chunks.has(name)) continue;
    found.add(name);
    const { now, later } = chunks.get(name);
    queue.push(...now, ...later.filter((one) => !LANGUAGE.test(one) && !leaves(one)));
  }
  return [...found].reduce((sum, name) => sum + chunks.get(name).size, 0);
}

const entry = basename(/'([^']+)'/.exec(readFileSync(join(folder, 'app/entry.js'), 'utf8'))[1]);
const all = [...chunks.keys()];
const language = Math.max(...all.filter((name) => LANGUAGE.test(name)).map((name) => chunks.get(name).size));
/** What the workshop loads: not what shows how a game goes, but all texts. */
const workshop = loaded([entry, ...all.filter((name) => EDITOR.test(name))], (name) => PAGES.test(name));
const texts = all.filter((name) => LANGUAGE.test(name)).map((name) => [name.slice(0, 2), chunks.get(name).size]);
const bothParts = Math.max(
  ...texts.map(([one]) => texts.reduce((sum, [other, size]) => (one === other ? sum + size : sum), 0)),
);
const sizes = {
  table: loaded([entry], (name) => PAGES.test(name)) + language,
  film: loaded([entry, ...all.filter((name) => FILM.test(name))], (name) => PAGES.test(name)) + language,
  editor: workshop + bothParts,
};
const rest = { css: 0, woff2: 0 };
for (const path of files(folder)) {
  const kind = path.split('.').pop();
  if (kind in rest) rest[kind] += kind === 'woff2' ? statSync(path).size : packed(path);
}
console.log(
  Object.entries({ ...sizes, ...rest })
    .map(([kind, size]) => `${kind} ${(size / 1000).toFixed(1)} KB`)
    .join(', '),
);
for (const [page, limit] of Object.entries(LIMITS)) {
  if (sizes[page] <= limit) continue;
  console.error(`more than ${limit / 1000} KB of JavaScript for the ${page}`);
  process.exit(1);
}
