import { load, save } from '../lib/storage.ts';
import en from './en.json';
import { format, type Params } from './message.ts';

export type Key = keyof typeof en;
export const LANGUAGES = { en: 'English', es: 'Español', pt: 'Português', ro: 'Română' } as const;
export type Language = keyof typeof LANGUAGES;

const others: Record<string, () => Promise<{ default: Record<string, string> }>> = {
  es: () => import('./es.json'),
  pt: () => import('./pt.json'),
  ro: () => import('./ro.json'),
};

const spoken = $state<{ language: Language; texts: Record<string, string> }>({
  language: 'en',
  texts: en,
});

export function t(key: Key, params: Params = {}): string {
  return format(spoken.texts[key] ?? en[key] ?? key, params, spoken.language);
}

/** Families of keys whose names come from the server. */
export type Family = 'bot' | 'code' | 'color' | 'edition' | 'level' | 'tie' | 'why';

/** The text for a name that comes from the server, or a general text. */
export function named(family: Family, name: string, otherwise: string): string {
  const key = `${family}.${name}` as Key;
  return key in en ? t(key) : otherwise;
}

export const language = (): Language => spoken.language;

const isLanguage = (text: string): text is Language => text in LANGUAGES;

export async function speak(wanted: Language): Promise<void> {
  const texts = wanted === 'en' ? en : (await others[wanted]!()).default;
  spoken.language = wanted;
  spoken.texts = texts;
  document.documentElement.lang = wanted;
}

export function choose(wanted: Language): Promise<void> {
  save('language', wanted);
  return speak(wanted);
}

/** The language of last time, or the first of the browser's that we have. */
export function preferred(): Language {
  const wanted = [load('language') ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find(isLanguage) ?? 'en';
}
