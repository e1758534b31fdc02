import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import en from '../../../../src/ferrovia/texts/en.json';
import { Edition } from '../../../src/lib/edition.ts';
import type { Entry } from '../../../src/lib/log.ts';
import type { EditionDocument, Goal, OwnState } from '../../../src/protocol.gen.ts';
import { forget, save } from '../../../src/lib/storage.ts';
import { fewestKept } from '../../../src/rules/rule_text.ts';
import { chaptersOf, parseRules, RULE_OF, rulesUrl } from '../../../src/rules/chapters.ts';
import { REASONS, reasonText, summary } from '../../../src/analysis/words.ts';
import {
  beginFirstGame,
  explainNoMore,
  explains,
  firstNew,
  isNewcomer,
  noteExplained,
  noteVisit,
  rulesOf,
} from '../../../src/tutorial/first_game.ts';
import { outcomeOf, textFor } from '../../../src/tutorial/goals.ts';
import { ownTutorial } from '../../../src/tutorial/own_tutorial.ts';
import { tutorialNotes } from '../../support/catalogues.ts';

const python = (path: string) => readFileSync(join(import.meta.dirname, '../../../../src/ferrovia', path), 'utf8');
const route = (id: string, more: object = {}) => ({
  id,
  a: 'a',
  b: 'b',
  length: 2,
  color: 'blue',
  tunnel: false,
  ferry: 0,
  ...more,
});
const edition = (
  numbers: object = {},
  routes: object[] = [route('plain'), route('bore', { tunnel: true, b: 'c' }), route('sea', { ferry: 1, b: 'd' })],
) =>
  new Edition({
    cities: [],
    routes,
    tickets: [],
    in_play: [],
    twins: {},
    big_cities: [],
    board: 'test',
    edition: { stations: 3, deals: [{}], marked_only: false, tie_break: ['tickets'], ...numbers },
  } as unknown as EditionDocument);

const decided = (number: number, seat: number, ...events: object[]): Entry =>
  ({ entry: 'decided', number, seat, events }) as unknown as Entry;
const outcome = (goal: Goal, entries: readonly Entry[], own: object | null = null) =>
  outcomeOf(goal, entries, { edition: edition(), seat: 0, doneBefore: new Set(), own: own as OwnState | null });

describe('the goal of a step', () => {
  const claim = (id: string) => decided(2, 0, { event: 'claim', player: 0, route: id });

  test('is open until the learner decides, whatever others do', () => {
    expect(outcome({ does: 'claim' }, [decided(2, 1, { event: 'claim', player: 1, route: 'plain' })])).toBe('open');
  });

  test('is met by any move that does it', () => {
    expect(outcome({ does: 'claim' }, [claim('plain')])).toBe('met');
    expect(outcome({ does: 'claim', ferry: true }, [claim('sea')])).toBe('met');
    expect(
      outcome({ does: 'claim', tunnel: true }, [
        decided(2, 0, { event: 'tunnel', player: 0, route: 'bore', extra: 2 }),
      ]),
    ).toBe('met');
    expect(outcome({ does: 'station' }, [decided(2, 0, { event: 'station', player: 0, city: 'a' })])).toBe('met');
    expect(outcome({ does: 'any' }, [decided(2, 0, { event: 'draw', player: 0 })])).toBe('met');
  });

  test('is missed by another', () => {
    expect(outcome({ does: 'claim' }, [decided(2, 0, { event: 'draw', player: 0 })])).toBe('otherwise');
    expect(outcome({ does: 'claim', ferry: true }, [claim('plain')])).toBe('otherwise');
    expect(outcome({ does: 'claim', completes: true }, [claim('plain')], { tickets: [{ id: 't', done: false }] })).toBe(
      'otherwise',
    );
    expect(outcome({ does: 'claim', completes: true }, [claim('plain')], { tickets: [{ id: 't', done: true }] })).toBe(
      'met',
    );
  });

  test('asks for two cards, or one face-up locomotive', () => {
    const draw = decided(2, 0, { event: 'draw', player: 0 });
    expect(outcome({ does: 'cards' }, [draw])).toBe('open');
    expect(outcome({ does: 'cards' }, [draw, decided(3, 0, { event: 'take', player: 0, card: 'red' })])).toBe('met');
    expect(outcome({ does: 'cards' }, [decided(2, 0, { event: 'take', player: 0, card: 'locomotive' })])).toBe('met');
  });

  test('to draw tickets is met when some are kept', () => {
    const offer = decided(2, 0, { event: 'offer', player: 0 });
    expect(outcome({ does: 'tickets' }, [offer])).toBe('open');
    expect(outcome({ does: 'tickets' }, [offer, decided(3, 0, { event: 'keep', player: 0 })])).toBe('met');
  });

  test('is said for the device, in the language or in English', () => {
    const step = { text: { en: 'Click.', es: 'Clic.' }, keys: { en: 'Press Tab.' }, touch: null };
    expect(textFor(step, 'mouse', 'es')).toBe('Clic.');
    expect(textFor(step, 'touch', 'es')).toBe('Clic.');
    expect(textFor(step, 'keys', 'ro')).toBe('Press Tab.');
  });
});

describe('rules', () => {
  test('stand behind every refusal as the engine cites them', () => {
    const cited = [...python('game/errors.py').matchAll(/breaches\.[A-Z_]+: \(\s*"([a-z_]+)",\s*"(R[\d.]+)"/g)].map(
      (found) => [found[1], found[2]],
    );
    expect(RULE_OF).toEqual(Object.fromEntries(cited));
  });

  test('that a refusal leads to are on the page', () => {
    const { document } = edition({ deals: [{}, {}] }, [
      route('one'),
      route('two'),
      route('bore', { tunnel: true }),
      route('sea', { ferry: 1 }),
    ]);
    const all = new Edition({ ...document, twins: { one: 'two', two: 'one' } });
    const shown = new Set(chaptersOf(all).flatMap((chapter) => chapter.rules.map((rule) => rule.number)));
    expect(Object.values(RULE_OF).filter((rule) => !shown.has(rule))).toEqual([]);
  });

  test('say how many tickets are kept at least, over all deals', () => {
    const deal = { long: 0, regular: 0, keep_min: 0, keep_max: 0, keep_min_without_long: 0 };
    const one = { ...deal, long: 1, regular: 3, keep_min: 2, keep_max: 4, keep_min_without_long: 2 };
    const mega = [
      { ...deal, long: 2, keep_max: 1 },
      { ...deal, regular: 5, keep_min: 2, keep_max: 5, keep_min_without_long: 3 },
    ];
    expect(fewestKept(edition({ deals: [one] }, []))).toBe(2);
    expect(fewestKept(edition({ deals: mega }, []))).toBe(3);
  });

  test('of what a board does not have are left out', () => {
    const names = chaptersOf(edition({ stations: 0 }, [route('plain')])).map((chapter) => chapter.name);
    expect(names).not.toContain('tunnels');
    expect(names).not.toContain('ferries');
    expect(names).not.toContain('stations');
  });

  test('have addresses', () => {
    expect(parseRules('#/rules')).toEqual({ edition: null, rule: null });
    expect(parseRules(new URL(rulesUrl('http://x/', 'europe', 'R7.2')).hash)).toEqual({
      edition: 'europe',
      rule: 'R7.2',
    });
    expect(parseRules('#/rules/<b>')).toBeNull();
  });
});

describe('in a first game', () => {
  const twins = { plain: 'twin', twin: 'plain' };
  const board = new Edition({ ...edition().document, twins });
  const open = [{ closed: [] }, { closed: [] }];
  const shows = (event: object, seats: Parameters<typeof rulesOf>[2] = open) => rulesOf(event as never, board, seats);
  const claim = (id: string) => ({ event: 'claim', player: 0, route: id, cards: [], points: 2 });

  test('each rule is explained once, the first that is new of what happened', () => {
    const entries = [
      decided(1, 1, { event: 'flush', cards: [] }),
      { entry: 'said', number: 2, text: 'hello' } as unknown as Entry,
      decided(3, 0, { event: 'draw', player: 0 }),
    ];
    expect(firstNew(entries, board, open)).toBe('4.6');
    noteExplained('4.6');
    expect(firstNew(entries, board, open)).toBe('4.1');
    noteExplained('4.1');
    expect(firstNew(entries, board, open)).toBeNull();
  });

  test('whoever has visited or has games is no newcomer', () => {
    expect(isNewcomer()).toBe(true);
    save('games', '[]');
    expect(isNewcomer()).toBe(false);
    forget('games');
    noteVisit();
    expect(isNewcomer()).toBe(false);
  });

  test('rules are explained from its beginning until that is declined, and it is practice against the easiest bot', async () => {
    const made: object[] = [];
    const table = {
      playerName: 'Ada',
      portrait: 'fox',
      loadOfferings: async () => {},
      easiestBot: 'passenger',
      create: async (setup: object) => (made.push(setup), 't'),
    };
    expect(explains()).toBe(false);
    expect(await beginFirstGame(table as never)).toBe('t');
    expect(made).toMatchObject([
      { seats: [{ kind: 'person', name: 'Ada' }, { bot: 'passenger' }], stand_in: 'passenger', practice: true },
    ]);
    expect([explains(), isNewcomer()]).toEqual([true, false]);
    explainNoMore();
    expect(explains()).toBe(false);
  });

  test('a card, a tunnel and a station have the rule of what came of them', () => {
    expect(shows({ event: 'take', player: 0, card: 'locomotive' })).toEqual(['4.3']);
    expect(shows({ event: 'take', player: 0, card: 'red' })).toEqual(['4.2']);
    expect(shows({ event: 'tunnel', player: 0, route: 'bore', extra: 2 })).toEqual(['7.2', '7.1']);
    expect(shows({ event: 'tunnel', player: 0, route: 'bore', extra: 0 })).toEqual(['7.8', '7.1']);
    expect(shows({ event: 'withdraw', player: 0, route: 'bore' })).toEqual(['7.4']);
    expect(shows({ event: 'station', player: 0, city: 'a' })).toEqual(['9.3', '9.1']);
  });

  test('a claim: a ferry first, then its double, open to others or closed', () => {
    expect(shows(claim('bore'))).toEqual(['5.4', '10.1', '5.3']);
    expect(shows(claim('sea'))[0]).toBe('6.1');
    expect(shows(claim('plain'), [{ closed: ['twin'] }, { closed: [] }])[0]).toBe('5.6');
    expect(shows(claim('plain'), [{ closed: ['twin'] }, { closed: ['twin'] }])[0]).toBe('5.7');
  });
});

test('every reason of the analysis has a sentence, and no other has', () => {
  const given = new Set(
    [...python('analysis/reasons.py').matchAll(/Reason\(\s*"([a-z_]+)"/g)].map((found) => found[1]!),
  );
  expect([...given].sort()).toEqual([...REASONS].sort());
  for (const reason of REASONS) expect(en).toHaveProperty([`reason.${reason}`]);
});

test('a ticket without a way is said to have none, not to take a number of trains', () => {
  const named = { ticketName: (id: string) => `<${id}>` } as Edition;
  const say = (key: string, trains: number | null) =>
    reasonText({ key, about: { ticket: 'a', trains } }, named, String);
  expect(say('ticket_too_far', 1)).toBe('<a> took 1 train more');
  expect(say('ticket_too_far', null)).toBe('no way was left for <a>');
  expect(say('ticket_near', null)).toBeNull();
});

test('a sheet is summed up in one sentence, of what is sure alone', () => {
  const sheet = {
    seat: 0,
    start: 100,
    cards: -11,
    tickets: 3,
    others: 4,
    choices: -6,
    result: 90,
    errors: { cards: 2, tickets: 9, others: 1, choices: 1 },
    whole: { cards: -11, tickets: 3, others: 4, choices: -6 },
  };
  expect(summary(sheet as never)).toBe(
    'Your choices cost 6 points, your cards cost 11 points, what the others did brought 4 points.',
  );
  expect(summary(sheet as never, false)).toMatch(/^The choices cost 6 points, the cards cost 11 points/);
  expect(summary({ ...sheet, errors: {} } as never)).toBe('Nothing stood out beyond chance.');
});

describe('a tutorial of one’s own', () => {
  const notes = JSON.stringify(tutorialNotes('usa'));
  const [record, other] = ['usa.jsonl', 'europe.jsonl'].map((name) => python(`tutorial/data/${name}`)) as [
    string,
    string,
  ];
  const changed = (change: object) => JSON.stringify({ ...JSON.parse(notes), ...change });

  test('is a record and the notes that name its hash, in any order', () => {
    expect(ownTutorial([notes, record])).toEqual({ notes: JSON.parse(notes), record });
    expect(ownTutorial([record, notes])).toEqual(ownTutorial([notes, record]));
  });

  test('is refused where its notes are for another record', () => {
    expect(ownTutorial([notes, other])).toBe('learn.own_other');
    expect(ownTutorial([notes, `${record}\n`])).toBe('learn.own_other');
  });

  test.each([
    [],
    [record],
    [notes],
    ['nonsense', record],
    ['null', record],
    [changed({ version: 2 }), record],
    [changed({ steps: [] }), record],
    [changed({ title: {} }), record],
    [
      changed({ steps: [{ at: '0', text: { en: 'Which?' }, question: { answers: [{ en: 'This' }], right: 1 } }] }),
      record,
    ],
  ])('is refused where a file is missing or broken, %#', (...texts: string[]) => {
    expect(ownTutorial(texts)).toBe('learn.own_wrong');
  });
});
