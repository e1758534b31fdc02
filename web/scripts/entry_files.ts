import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * A plugin that writes the entry files of the built client.
 *
 * One page serves `/` and `/table/…` under any prefix, so no address in it can be absolute, and no
 * relative address can be the same for both. The page refers to `./app/entry.*`; there is one such
 * pair of one-line files at each of the two depths, and everything else is relative to those.
 */
export function entryFiles(): Plugin {
  let out = '';
  return {
    name: 'ferrovia-entry-files',
    apply: 'build',
    configResolved(config) {
      out = join(config.root, config.build.outDir);
    },
    closeBundle() {
      const page = join(out, 'index.html');
      const html = readFileSync(page, 'utf8');
      const script = /<script[^>]+src="\.\/([^"]+)"[^>]*><\/script>/.exec(html)?.[1];
      const style = /<link[^>]+rel="stylesheet"[^>]+href="\.\/([^"]+)"[^>]*>/.exec(html)?.[1];
      if (!script || !style) throw new Error('the built page has another form than expected');
      for (const [folder, up] of [
        ['app', '../'],
        ['table/app', '../../'],
      ] as const) {
        mkdirSync(join(out, folder), { recursive: true });
        writeFileSync(join(out, folder, 'entry.js'), `import '${up}${script}';\n`);
        writeFileSync(join(out, folder, 'entry.css'), `@import '${up}${style}';\n`);
      }
      const bare = html.replace(/\s*<(script|link)[^>]+(src|href)="\.\/assets[^>]*>(<\/script>)?/g, '');
      const entry =
        '    <link rel="stylesheet" href="./app/entry.css">\n' +
        '    <script type="module" src="./app/entry.js"></script>\n';
      writeFileSync(page, bare.replace('</head>', `${entry}  </head>`));
    },
  };
}
