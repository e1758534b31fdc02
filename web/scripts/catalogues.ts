import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** What only the workshop says, and what only the server says: `languages.py` in Python. */
const WORKSHOP = /^(count|editor|print|report)\./;
const SERVER = /^(server|tutorial)\./;

/** A language and one of its parts, as the client asks for it: `…/texts/en.json?part=game`. */
const PART = /^(.*\/ferrovia\/texts\/\w+\.json)\?part=(game|workshop)$/;

/**
 * A plugin that gives the client a part of a catalogue: who plays need not load the texts of the workshop, and nobody
 * those of the server's own pages.
 */
export function catalogues(): Plugin {
  return {
    name: 'ferrovia-catalogues',
    enforce: 'pre',
    load(id) {
      const [, path, part] = PART.exec(id) ?? [];
      if (!path) return null;
      this.addWatchFile(path);
      const texts = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
      const isHere = ([key]: [string, string]) => !SERVER.test(key) && WORKSHOP.test(key) === (part === 'workshop');
      const code = `export default ${JSON.stringify(Object.fromEntries(texts.filter(isHere)))};`;
      return { code, moduleType: 'js' };
    },
  };
}
