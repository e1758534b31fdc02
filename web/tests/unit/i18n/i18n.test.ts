import { REACTIONS } from '../../../src/chat/reactions.ts';
import { OCCASIONS, VOICES } from '../../../src/chat/remarks.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLAYER_COLORS } from '../../../src/drawing.gen.ts';
import { DEEDS, PARTS, REASONS } from '../../../src/analysis/words.ts';
import { FACTS, LEAD_PARTS } from '../../../src/finale/acts.ts';
import { language, setBoard, setLanguage, t } from '../../../src/i18n/index.svelte.ts';
import { analyse, format } from '../../../src/i18n/message.ts';
import { catalogues, pluralForms } from '../../support/catalogues.ts';
import { CARDS } from '../../../src/lib/edition.ts';
import { PACES } from '../../../src/lib/pace.ts';
import { MEASURES } from '../../../src/replay/panels/charts.ts';
import { FILM_TABS } from '../../../src/replay/film_session.svelte.ts';
import { JUMPS } from '../../../src/replay/reel.ts';
import { TEXT_SIZES, THEMES } from '../../../src/settings/settings.svelte.ts';
import { CHAPTERS } from '../../../src/rules/chapters.ts';
import { RULES } from '../../../src/table/facts/rules_now.ts';
import { HOLD_TIMES } from '../../../src/table/hold/hold_time.ts';

const { en, ro } = catalogues as { en: Record<string, string>; ro: Record<string, string> };
const keys = Object.keys(en);
const source = join(import.meta.dirname, '../../../src');

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.(svelte|ts)$/.test(entry.name) && !/\.(gen|test)\.ts$/.test(entry.name) ? [path] : [];
  });
}
const code = files(source).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const all = code.map((file) => file.text).join('\n');

const python = (path: string) => readFileSync(join(source, '../../src/ferrovia', path), 'utf8');
const words = (text: string, within: RegExp, each: RegExp) =>
  [...within.exec(text)![1]!.matchAll(each)].map((match) => match[1]!);

const codes = words(
  readFileSync(join(source, 'protocol.gen.ts'), 'utf8'),
  /interface Problem \{[^}]*code: ([^;]+);/,
  /(\w+)/g,
);
const reasons = [...python('game/errors.py').matchAll(/breaches\.[A-Z_]+: \(\s*"([a-z_]+)"/g)].map(
  (match) => match[1]!,
);
const levels = words(python('bots/registry.py'), /LEVELS = \{([^}]+)\}/, /"(\w+)":/g);
const scripts = words(python('bots/kernel/scripts.py'), /_SCRIPTS = \(([^)]+)\)/, /_(\w+)/g);
const editions = JSON.parse(python('boards/data/editions.json')) as { editions: { id: string; board: string }[] };
const boards = [...new Set(editions.editions.map((one) => one.board))];

const packs = readdirSync(join(source, '../../src/ferrovia/boards/data/packs')).map((file) =>
  file.replace('.json', ''),
);

/** Every family of keys that are put together, and all the names in it. */
const FAMILIES: Record<string, readonly string[]> = {
  'bot.': [...new Set([...levels, ...scripts, 'net', 'search'])],
  'code.': [...codes, 'unknown', 'unreachable'],
  'cards.': [...CARDS, 'hidden'],
  'color.': PLAYER_COLORS,
  'edition.': editions.editions.map((one) => one.id),
  'edition_about.': [...editions.editions.map((one) => one.id), 'other'],
  'film_tab.': FILM_TABS,
  'analysis_part.': [...PARTS, 'their_cards', 'their_choices', 'their_tickets'],
  'count.tab_': ['pieces', 'score', 'tickets'],
  'count.why_': ['double', 'long', 'stations', 'taken', 'trains', 'unknown'],
  'editor.hint_': ['choose', 'city', 'route'],
  'editor.size_': ['large', 'medium', 'small'],
  'editor.style_': ['balanced', 'long', 'short'],
  'editor.tab_': ['cities', 'file', 'report', 'routes', 'tickets'],
  'editor.tool_': ['choose', 'city', 'route'],
  'print.layout_': ['full', 'one', 'panels', 'sheets', 'single'],
  'print.what_': ['board', 'cards', 'tickets'],
  'report.m_': ['claimed', 'finished', 'first', 'margin', 'points', 'turns'],
  'report.v_': ['better', 'less', 'more', 'open', 'worse'],
  'deed.': DEEDS,
  'reason.': REASONS,
  'hint.': ['draw', 'take', 'tickets', 'pay', 'withdraw', 'pass'],
  'jump.': JUMPS,
  'pack_name.': packs,
  'level.': levels,
  'log.left_': ['clock', 'left', 'replaced'],
  'hold_time.': HOLD_TIMES,
  'measure.': MEASURES,
  'pace.': PACES,
  'finale_part.': LEAD_PARTS,
  'puzzle.ask_': ['finish', 'move', 'station', 'trail', 'tunnel', 'way'],
  'rules_chapter.': CHAPTERS,
  'prompt.': ['over', 'second_card', 'start', 'tickets', 'tunnel', 'turn'],
  'remark.': VOICES.flatMap((voice) => OCCASIONS.map((occasion) => `${voice}_${occasion}`)),
  'reaction.': REACTIONS,
  'finale_fact.': FACTS,
  'rule.': RULES.map((rule) => rule.replace('.', '_')),
  'share.': ['link', 'link_spoilers', 'link_try'],
  'shuffle.': ['fair', 'given', 'server_only', 'without_me', 'wrong'],
  'spaces.': [...CARDS.filter((card) => card !== 'locomotive'), 'gray'],
  'mine.': ['move', 'over', 'wait'],
  'status.': ['over', 'running', 'waiting'],
  'tabs.': ['chat', 'log', 'routes', 'score', 'tickets'],
  'text.': TEXT_SIZES,
  'theme.': THEMES,
  'ticket.label_': ['done', 'failed', 'open'],
  'tie.': ['longest', 'stations', 'tickets'],
  'why.': reasons,
};
const put = new Set(Object.entries(FAMILIES).flatMap(([family, names]) => names.map((name) => family + name)));
/** What the server says itself, and what its tutorials say. */
const isOfPython = (key: string) => /^(server|tutorial)\./.test(key);
const saidInPython = ['no_client.py', 'not_found.py']
  .map((page) => python(`server/http/pages/${page}`))
  .concat(['usa', 'europe'].map((name) => python(`tutorial/data/${name}.notes.json`)))
  .join('');
const quoted = new Set([...all.matchAll(/'([a-z_]+(?:\.[a-z_0-9-]+)?)'/g)].map((match) => match[1]!));

describe('the catalogue', () => {
  test.each(Object.keys(catalogues))('%s has every key and no other', (language) => {
    expect(Object.keys(catalogues[language]!).sort()).toEqual([...keys].sort());
  });

  test.each(Object.keys(catalogues))('%s has the parameters and the plural forms that it needs', (language) => {
    const forms = pluralForms(language);
    for (const key of keys) {
      const mine = analyse(catalogues[language]![key]!);
      expect([...mine.names].sort(), key).toEqual([...analyse(en[key]!).names].sort());
      for (const has of mine.plurals.values()) {
        for (const form of forms) expect(has.has(form), `${language} ${key} ${form}`).toBe(true);
      }
    }
  });

  test('has no key that nothing uses', () => {
    const plain = keys.filter((key) => !isOfPython(key)).map((key) => key.split('@')[0]!);
    expect(plain.filter((key) => !quoted.has(key) && !put.has(key))).toEqual([]);
    expect(keys.filter((key) => isOfPython(key) && !RegExp(`["']${key}["']`).test(saidInPython))).toEqual([]);
  });

  test('has words of its own only for boards that there are', () => {
    const own = keys.filter((key) => key.includes('@')).map((key) => key.split('@') as [string, string]);
    expect(own.filter(([key, board]) => !keys.includes(key) || !boards.includes(board))).toEqual([]);
  });

  test('has every key that is put together, and no other family is', () => {
    expect(reasons.length).toBeGreaterThan(20);
    expect([...put].filter((key) => !keys.includes(key))).toEqual([]);
    const found = [
      ...[...all.matchAll(/(?:t\(|key: )`([a-z_]+\.[a-z_]*)\$\{/g)].map((match) => match[1]!),
      ...[...all.matchAll(/named\('([a-z_]+)'/g)].map((match) => `${match[1]!}.`),
    ];
    expect([...new Set(found)].sort()).toEqual(Object.keys(FAMILIES).sort());
  });

  test('has every key that is used', () => {
    const used = [...all.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1]!);
    const told = [...all.matchAll(/\bkey: '([^']+)'/g)].map((match) => match[1]!);
    expect([...new Set([...used, ...told])].filter((key) => !keys.includes(key))).toEqual([]);
  });

  test('no sentence is written into the markup', () => {
    const found = code
      .filter((file) => file.path.endsWith('.svelte'))
      .flatMap(({ path, text }) => {
        const markup = text
          .replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, '')
          .replace(/\{[^{}]*\}/g, '');
        return [...markup.matchAll(/>([^<>{}]*[A-Za-z]{3,} [A-Za-z]{2,}[^<>{}]*)</g)].map(
          (match) => `${path}: ${match[1]!.trim()}`,
        );
      })
      .filter((found) => !/[=(){}:]/.test(found.split(': ')[1] ?? ''));
    expect(found).toEqual([]);
  });
});

test('of two languages that are asked for at once the last is spoken', async () => {
  const slower = setLanguage('pl');
  await setLanguage('en');
  await slower;
  expect([language(), t('undo.back')]).toEqual(['en', 'Undo']);
});

describe('messages', () => {
  test('take parameters and count', () => {
    const text = '{count, plural, =0 {no cards} one {# card} other {# cards}} for {name}';
    expect(format(text, { count: 0, name: 'Ada' }, 'en')).toBe('no cards for Ada');
    expect(format(text, { count: 1, name: 'Ada' }, 'en')).toBe('1 card for Ada');
    expect(format(text, { count: 5, name: 'Ada' }, 'en')).toBe('5 cards for Ada');
  });
  test('Romanian has three forms', () => {
    const count = (count: number) => format(ro['cards.blue']!, { count }, 'ro');
    expect([count(1), count(2), count(19), count(20), count(101)]).toEqual([
      '1 carte albastră',
      '2 cărți albastre',
      '19 cărți albastre',
      '20 de cărți albastre',
      '101 cărți albastre',
    ]);
  });
  test('use the words of the board in play', () => {
    const words = (board: string) => (setBoard(board), t('cards.purple', { count: 2 }));
    expect(['europe', 'usa', ''].map(words)).toEqual(['2 purple cards', '2 pink cards', '2 purple cards']);
  });
  test('a name is text, whatever it holds', () => {
    expect(format('{name} passed.', { name: '{x} <b>' }, 'en')).toBe('{x} <b> passed.');
  });
});
