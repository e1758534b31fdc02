// What a player downloads, and the limit that it must keep: 130 KB of gzipped JavaScript.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LIMIT = 130_000;
const folder = fileURLToPath(new URL('../../src/ferrovia/server/client', import.meta.url));

const files = (at) =>
  readdirSync(at).flatMap((name) => {
    const path = join(at, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

const total = { js: 0, css: 0, woff2: 0 };
for (const path of files(folder)) {
  const kind = path.split('.').pop();
  if (kind in total) total[kind] += kind === 'woff2' ? statSync(path).size : gzipSync(readFileSync(path)).length;
}
console.log(Object.entries(total).map(([kind, size]) => `${kind} ${(size / 1000).toFixed(1)} KB`).join(', '));
if (total.js > LIMIT) {
  console.error(`more than ${LIMIT / 1000} KB of JavaScript`);
  process.exit(1);
}
