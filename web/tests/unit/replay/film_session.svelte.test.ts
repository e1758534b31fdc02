import { describe, expect, test } from 'vitest';
import { Edition } from '../../../src/lib/edition.ts';
import type { FilmQuery } from '../../../src/connection/http.ts';
import type { EditionDocument, Film, Frame, Screening } from '../../../src/protocol.gen.ts';
import { FilmSession, type Expected, type Projector } from '../../../src/replay/film_session.svelte.ts';
import { editionOf } from '../../../src/replay/record_file.ts';

const seat = {
  trains: 45,
  points: 0,
  cards: 4,
  known: {},
  tickets: 2,
  stations_left: 0,
  stations: [],
  routes: [],
  closed: [],
};
const first = { public: { seats: [seat, seat], first: 0 }, hands: [null, null] } as unknown as Frame;
const nothing = { public: {}, seats: {}, hands: {} };
const draw = (player: number) => ({ event: 'draw', player, card: 'red' });
const film = {
  edition: 'usa',
  extras: [],
  players: ['Ada', 'Bob'],
  practice: false,
  eyes: 'all',
  deal: [],
  first,
  whole: true,
  over: false,
  result: null,
  finale: null,
  seed: null,
  steps: [
    { ...nothing, seat: 0, turn: 1, events: [draw(0)] },
    { ...nothing, seat: 1, turn: 2, events: [draw(1)] },
  ],
} as unknown as Film;
const interludes = [
  { frame: 1, entry: { entry: 'decided', number: 7, at: 0, seat: 1, bot: '', events: [draw(1)] } },
  { frame: 1, entry: { entry: 'undone', number: 8, at: 0, seat: 1, first: 7 } },
  { frame: 1, entry: { entry: 'said', number: 9, at: 0, seat: 1, name: '', text: 'Sorry.' } },
  { frame: 2, entry: { entry: 'said', number: 11, at: 0, seat: null, name: 'Eva', text: null } },
] as unknown as Screening['interludes'];
const document = {
  board: { name: 'USA', cities: [], routes: [], tickets: [] },
  in_play: [],
  colors: [],
} as unknown as EditionDocument;

function projector(asked: string[], expected: Expected | null): Projector {
  return {
    table: 'abc',
    load: async (query: FilmQuery) => {
      asked.push(`film ${query.interludes ?? false}`);
      return {
        film,
        edition: null,
        picture: null,
        interludes: query.interludes ? interludes : [],
      } as unknown as Screening;
    },
    edition: async (id) => {
      asked.push(`edition ${id}`);
      return { document, colorOf: () => 'red', routeName: String, ticketName: String } as unknown as Edition;
    },
    picture: async (id) => {
      asked.push(`picture ${id}`);
      return {} as never;
    },
    expected: async () => expected,
  };
}

describe('a film session', () => {
  test('leaves out chat and moves taken back until it is asked for them, and has each at its place then', async () => {
    const session = new FilmSession(projector([], null));
    await session.open(null, null, false);
    const plain = session.log.length;
    expect(session.log.some((line) => line.aside)).toBe(false);
    await session.showInterludes(true);
    expect(session.log.filter((line) => line.aside).map((line) => [line.frame, line.aside, line.key])).toEqual([
      [1, 'gone', 'log.draw'],
      [1, 'undone', 'log.undone'],
      [1, 'said', 'replay.said'],
      [2, 'said', 'replay.withheld'],
    ]);
    expect(session.log.map((line) => line.frame)).toEqual([...session.log.map((line) => line.frame)].sort());
    session.show(1);
    expect(session.caption).not.toContain('Sorry');
    await session.showInterludes(false);
    expect(session.log.length).toBe(plain);
  });
  test('asks for the board that is expected at once, and for another one if that was wrong', async () => {
    const asked: string[] = [];
    await new FilmSession(projector(asked, { edition: 'usa', extras: [] })).open(null, null, false);
    expect([...asked].sort()).toEqual(['edition usa', 'film false', 'picture usa']);
    asked.length = 0;
    await new FilmSession(projector(asked, { edition: 'europe', extras: [] })).open(null, null, false);
    expect(asked).toContain('edition usa');
  });
});

describe('the first line of a record', () => {
  test.each([
    ['{"record":"ferrovia","edition":"usa"}\n{}', { edition: 'usa', extras: [] }],
    ['{"edition":"europe","extras":["orient-express"]}', { edition: 'europe', extras: ['orient-express'] }],
    ['{"edition":"mine","board":{"id":"mine"}}', null],
    ['{"edition":7}', null],
    ['{"edition":"usa","extras":[1]}', null],
    ['null', null],
    ['nonsense', null],
    ['', null],
  ])('%s', async (text, found) => {
    expect(await editionOf(new Blob([text]))).toEqual(found);
  });
});
