/** All texts, as they lie in the package; and the tutorials, which take theirs from there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const python = (path: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../src/ferrovia', path), 'utf8'));

export const LANGUAGES = Object.keys(python('languages.json') as object);

/** All texts of every language. */
export const catalogues = Object.fromEntries(
  LANGUAGES.map((language) => [language, python(`texts/${language}.json`) as Record<string, string>]),
);

/** The plural forms of a language for the whole numbers that can occur; `other` is always one of them. */
export function pluralForms(language: string): string[] {
  const rules = new Intl.PluralRules(language === 'pt' ? 'pt-PT' : language);
  return [...new Set(['other', ...Array.from({ length: 10_000 }, (_, count) => rules.select(count))])].sort();
}

/** The notes of a tutorial of ours as the server sends them. */
export function tutorialNotes(name: string): unknown {
  const said = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(said);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, said(inner)]));
    if (typeof value !== 'string' || !value.startsWith('tutorial.')) return value;
    return Object.fromEntries(LANGUAGES.map((language) => [language, catalogues[language]![value]!]));
  };
  return said(python(`tutorial/data/${name}.notes.json`));
}
