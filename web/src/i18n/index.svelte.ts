import { load, save } from '../lib/storage.ts';
import LANGUAGES from '../../../src/ferrovia/languages.json';
import type en from '../../../src/ferrovia/texts/en.json';
import { format, type Params } from './message.ts';

export { LANGUAGES };
export type Key = keyof typeof en;
export type Language = keyof typeof LANGUAGES;

/** Every language is loaded by itself: nobody downloads two. All have the same keys. */
type Catalogues = Record<string, () => Promise<Record<string, string>>>;
const catalogues: Catalogues = import.meta.glob<Record<string, string>>('../../../src/ferrovia/texts/*.json', {
  query: '?part=game',
  import: 'default',
});

/** The rules, and the texts of workshop, puzzles and analysis: who plays need not load them. */
const further: Catalogues = import.meta.glob<Record<string, string>>('../../../src/ferrovia/texts/*.json', {
  query: '?part=more',
  import: 'default',
});
let wantsMore = false;

/** One signal for all texts: a page that says a thousand things asks for it once for each, not for every key. */
let current = $state.raw<{
  readonly language: Language;
  readonly texts: Readonly<Record<string, string>>;
  readonly board: string;
}>({
  language: 'en',
  texts: {},
  board: '',
});

/** Return the text of a key, with its parameters; `key@board` where the board in play has words of its own. */
export function t(key: Key, params: Params = {}): string {
  const { texts, board, language: spoken } = current;
  return format(texts[`${key}@${board}`] ?? texts[key] ?? key, params, spoken);
}

/** Use the words of a board from now on, and its colours: what is called pink is drawn pink (board.css). */
export function setBoard(board: string): void {
  if (board !== current.board) current = { ...current, board };
  const root = globalThis.document?.documentElement;
  if (root && root.dataset['board'] !== board) root.dataset['board'] = board;
}

/** Families of keys whose names come from the server. */
export type Family = 'bot' | 'code' | 'color' | 'edition' | 'edition_about' | 'level' | 'pack_name' | 'tie' | 'why';

/** Return the text for a name that comes from the server, or another text where there is none. */
export function named(family: Family, name: string, otherwise: string): string {
  const key = `${family}.${name}` as Key;
  return key in current.texts ? t(key) : otherwise;
}

export const language = (): Language => current.language;

const isLanguage = (text: string): text is Language => text in LANGUAGES;

let latest = { wanted: 'en' as Language, done: Promise.resolve() };

/** Load the texts of a language and use them from now on. If two are asked for at once, the last counts. */
export function setLanguage(wanted: Language): Promise<void> {
  const order = { wanted, done: Promise.resolve() };
  latest = order;
  return (order.done = use(order));
}

async function use(order: typeof latest): Promise<void> {
  const { wanted } = order;
  const parts = wantsMore ? [catalogues, further] : [catalogues];
  const path = `../../../src/ferrovia/texts/${wanted}.json`;
  const texts = Object.assign({}, ...(await Promise.all(parts.map((part) => part[path]!()))));
  if (order !== latest) return latest.done;
  current = { ...current, language: wanted, texts };
  if (globalThis.document?.documentElement) document.documentElement.lang = wanted;
}

/** Return what says more than a table or a film does, when its texts are there too. */
export async function withMoreTexts<T>(page: Promise<T>): Promise<T> {
  const first = !wantsMore;
  wantsMore = true;
  const [found] = await Promise.all([page, first ? setLanguage(latest.wanted) : null]);
  return found;
}

/** Use a language, also the next time. */
export function chooseLanguage(wanted: Language): Promise<void> {
  save('language', wanted);
  return setLanguage(wanted);
}

/** Return the language of last time, or the first of the browser's that we have. */
export function preferredLanguage(): Language {
  const wanted = [load('language') ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find(isLanguage) ?? 'en';
}
