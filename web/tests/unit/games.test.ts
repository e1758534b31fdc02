import { beforeEach, describe, expect, test } from 'vitest';
import {
  addGames,
  exportGames,
  forgetGame,
  loadGames,
  noteGame,
  readGames,
  type PlayedGame,
} from '../../src/games/my_games.ts';
import { importArchive } from '../../src/games/archive.ts';
import type { Server } from '../../src/connection/http.ts';
import { zip } from '../../src/lib/zip.ts';
import { favourites, statisticsOf } from '../../src/games/statistics.ts';
import { save } from '../../src/lib/storage.ts';
import type { FinalState, TableInfo } from '../../src/protocol.gen.ts';

const game = (table: string, more: Partial<PlayedGame> = {}): PlayedGame => ({
  table,
  edition: 'usa',
  at: 1,
  seat: 0,
  names: ['Ada', 'bot:greedy'],
  totals: [90, 80],
  winners: [0],
  completed: 3,
  failed: 1,
  longest: 20,
  routes: ['a-b'],
  ...more,
});

beforeEach(() => save('games', '[]'));

describe('my games', () => {
  test('keep a finished game once, newest first', () => {
    const score = {
      routes: 50,
      tickets: 10,
      stations: 0,
      longest: 12,
      bonus: 10,
      total: 70,
      completed: ['t'],
      failed: [],
      borrowed: {},
    };
    const final = { result: { scores: [score, { ...score, total: 60 }], winners: [0] } } as unknown as FinalState;
    const table = {
      id: 'one',
      edition: 'europe',
      seats: [
        { kind: 'person', name: 'Ada' },
        { kind: 'bot', bot: 'greedy' },
      ],
    } as unknown as TableInfo;
    noteGame(table, final, 0, ['a-b'], 5);
    noteGame(table, final, 0, ['a-b'], 9);
    noteGame({ ...table, id: 'two' }, final, 1, [], 7);
    expect(loadGames().map((one) => [one.table, one.at])).toEqual([
      ['two', 7],
      ['one', 5],
    ]);
    expect(loadGames()[1]).toMatchObject({ names: ['Ada', 'bot:greedy'], totals: [70, 60], completed: 1, failed: 0 });
    expect(forgetGame('two').length).toBe(1);
  });
  test('go out and come back', () => {
    const file = exportGames([game('one'), game('two', { at: 2 })]);
    expect(addGames(readGames(file)!).map((one) => one.table)).toEqual(['two', 'one']);
    expect(addGames(readGames(file)!).length).toBe(2);
  });
  test.each(['', '[]', '{}', '{"form":"ferrovia-games"}', 'null', '{"form":"other","games":[]}'])(
    '%s is no file of ours',
    (text) => {
      expect(readGames(text)).toBeNull();
    },
  );
  test('what is no game in a file is left out', () => {
    const odd = [
      game('ok'),
      { ...game('x'), table: '../../x' },
      { ...game('y'), totals: ['<b>'] },
      { ...game('z'), seat: 5 },
      7,
      null,
    ];
    expect(readGames(exportGames(odd as PlayedGame[]))?.map((one) => one.table)).toEqual(['ok']);
  });
});

test('what a file brings never takes the place of a game that is here', async () => {
  const archive = (table: string) => zip(new Map([['games.json', new Blob([exportGames([game(table, { at: 9 })])])]]));
  addGames(Array.from({ length: 999 }, (_, number) => game(`here-${number}`)));
  const nobody = {} as Server; // games without a record ask nothing of it
  expect(await importArchive(nobody, await archive('one'), () => {})).toEqual({ added: 1, there: 0, refused: 0 });
  await expect(importArchive(nobody, await archive('two'), () => {})).rejects.toThrow('no room');
  expect(loadGames().map((one) => one.table)).toContain('here-0');
  expect(loadGames().length).toBe(1000);
});

describe('statistics', () => {
  test('are by edition, the most played first', () => {
    const [usa, europe] = statisticsOf([
      game('one'),
      game('two', { totals: [50, 80], winners: [1], completed: 1, failed: 3, routes: ['a-b', 'b-c'] }),
      game('three', { edition: 'europe' }),
    ]);
    expect(usa).toMatchObject({
      edition: 'usa',
      games: 2,
      wins: 1,
      mean: 70,
      best: 90,
      completed: 4,
      tickets: 8,
      longest: 20,
    });
    expect(favourites(usa!.routes)).toEqual([
      ['a-b', 2],
      ['b-c', 1],
    ]);
    expect(europe).toMatchObject({ edition: 'europe', games: 1 });
    expect(statisticsOf([])).toEqual([]);
  });
});
