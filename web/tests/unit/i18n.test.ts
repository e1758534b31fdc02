import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import en from '../../src/i18n/en.json';
import es from '../../src/i18n/es.json';
import { anatomy, format } from '../../src/i18n/message.ts';
import pt from '../../src/i18n/pt.json';
import ro from '../../src/i18n/ro.json';

const catalogues: Record<string, Record<string, string>> = { en, es, pt, ro };
const keys = Object.keys(en);
const source = join(import.meta.dirname, '../../src');

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.(svelte|ts)$/.test(entry.name) && !/\.(gen|test)\.ts$/.test(entry.name) ? [path] : [];
  });
}
const code = files(source).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const all = code.map((file) => file.text).join('\n');

/** Keys that are put together: `prefix.${…}` or `named('prefix', …)`. */
const families = new Set([
  ...[...all.matchAll(/`([a-z_]+(?:\.[a-z_]+)?[._])\$\{/g)].map((match) => match[1]!),
  ...[...all.matchAll(/named\('([a-z_]+)'/g)].map((match) => `${match[1]!}.`),
]);
const quoted = new Set([...all.matchAll(/'([a-z_]+(?:\.[a-z_0-9-]+)?)'/g)].map((match) => match[1]!));

describe('the catalogue', () => {
  test.each(Object.keys(catalogues))('%s has every key and no other', (language) => {
    expect(Object.keys(catalogues[language]!).sort()).toEqual([...keys].sort());
  });

  test.each(Object.keys(catalogues))('%s has the parameters and the plural forms that it needs', (language) => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    // Forms for millions are not needed where nothing reaches a hundred.
    const forms = needed.filter((form) => form !== 'many');
    for (const key of keys) {
      const mine = anatomy(catalogues[language]![key]!);
      expect([...mine.names].sort(), key).toEqual([...anatomy(en[key as keyof typeof en]).names].sort());
      for (const has of mine.plurals.values()) {
        for (const form of forms) expect(has.has(form), `${language} ${key} ${form}`).toBe(true);
      }
    }
  });

  test('has no key that nothing uses', () => {
    const unused = keys.filter(
      (key) => !quoted.has(key) && ![...families].some((family) => key.startsWith(family)),
    );
    expect(unused).toEqual([]);
  });

  test('has every key that is used', () => {
    const used = [...all.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1]!);
    const told = [...all.matchAll(/\bkey: '([^']+)'/g)].map((match) => match[1]!);
    expect([...new Set([...used, ...told])].filter((key) => !keys.includes(key))).toEqual([]);
  });

  test('has a text for every code of the server and every reason of the rules', () => {
    const protocol = readFileSync(join(source, 'protocol.gen.ts'), 'utf8');
    const codes = /interface Problem \{[^}]*code: ([^;]+);/.exec(protocol)![1]!.match(/\w+/g)!;
    expect(codes.filter((name) => !keys.includes(`code.${name}`))).toEqual([]);
    const errors = readFileSync(join(source, '../../src/ferrovia/game/errors.py'), 'utf8');
    const reasons = [...errors.matchAll(/breaches\.[A-Z_]+: \(\s*"([a-z_]+)"/g)].map((match) => match[1]!);
    expect(reasons.length).toBeGreaterThan(20);
    expect(reasons.filter((name) => !keys.includes(`why.${name}`))).toEqual([]);
  });

  test('no sentence is written into the markup', () => {
    const found = code
      .filter((file) => file.path.endsWith('.svelte'))
      .flatMap(({ path, text }) => {
        const markup = text.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, '').replace(/\{[^{}]*\}/g, '');
        return [...markup.matchAll(/>([^<>{}]*[A-Za-z]{3,} [A-Za-z]{2,}[^<>{}]*)</g)].map((match) => `${path}: ${match[1]!.trim()}`);
      })
      .filter((found) => !/[=(){}:]/.test(found.split(': ')[1] ?? ''));
    expect(found).toEqual([]);
  });
});

describe('messages', () => {
  test('take parameters and count', () => {
    const text = '{count, plural, =0 {no cards} one {# card} other {# cards}} for {name}';
    expect(format(text, { count: 0, name: 'Ada' }, 'en')).toBe('no cards for Ada');
    expect(format(text, { count: 1, name: 'Ada' }, 'en')).toBe('1 card for Ada');
    expect(format(text, { count: 5, name: 'Ada' }, 'en')).toBe('5 cards for Ada');
  });
  test('Romanian has three forms', () => {
    const count = (count: number) => format(ro['start.bots'], { count }, 'ro');
    expect([count(1), count(2), count(19), count(20), count(101)]).toEqual(['1 bot', '2 boți', '19 boți', '20 de boți', '101 boți']);
  });
  test('a name is text, whatever it holds', () => {
    expect(format('{name} passed.', { name: '{x} <b>' }, 'en')).toBe('{x} <b> passed.');
  });
});
