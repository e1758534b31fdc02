import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** What neither a table nor a film says at first: the rules, the tutorials, a shared device, workshop, puzzles, analysis, the games of a device, notices of slow games. And what only the server says: `languages.py` in Python. */
const MORE =
  /^(learn(?!\.start$)|curtain|rule|rules_chapter|rules_drawing|count|reason|editor|pack|print|report|analysis|analysis_part|deed|puzzle(?!\.(daily|title)$)|games(?!\.(record|title)$)|push|webhook)\./;
const SERVER = /^(server|tutorial)\./;

/** A language and one of its parts, as the client asks for it: `…/texts/en.json?part=game`. */
const PART = /^(.*\/ferrovia\/texts\/\w+\.json)\?part=(game|more)$/;

/**
 * A plugin that gives the client a part of a catalogue: who plays need not load the rules and the texts of workshop,
 * puzzles and analysis, and nobody those of the server's own pages.
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
      const isHere = ([key]: [string, string]) => !SERVER.test(key) && MORE.test(key) === (part === 'more');
      const code = `export default ${JSON.stringify(Object.fromEntries(texts.filter(isHere)))};`;
      return { code, moduleType: 'js' };
    },
  };
}
