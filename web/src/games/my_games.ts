/** The games that were played on this device: what is kept of each, and how it is exported and imported. */
import { forget, load, save } from '../lib/storage.ts';
import type { FinalState, Result, TableInfo } from '../protocol.gen.ts';
import { forgetRecord } from './kept_records.ts';

/** A finished game, from the seat that was played here. */
export interface PlayedGame {
  readonly table: string;
  readonly edition: string;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly seat: number;
  readonly names: readonly string[];
  readonly totals: readonly number[];
  readonly winners: readonly number[];
  readonly completed: number;
  readonly failed: number;
  readonly longest: number;
  readonly routes: readonly string[];
}

const KEY = 'games';
/** The most games that are kept; after them, a new one takes the place of the oldest. */
export const MOST = 1_000;
const FORM = 'ferrovia-games';

/** Return the games of this device, newest first. */
export function loadGames(): PlayedGame[] {
  try {
    return valid(JSON.parse(load(KEY) ?? '[]'));
  } catch {
    return [];
  }
}

function store(games: readonly PlayedGame[]): PlayedGame[] {
  const kept = [...games].sort((a, b) => b.at - a.at).slice(0, MOST);
  save(KEY, JSON.stringify(kept));
  return kept;
}

/** Keep a game that has ended, unless it is kept already. */
export function noteGame(
  table: TableInfo,
  final: FinalState,
  seat: number,
  routes: readonly string[],
  at: number,
): void {
  const games = loadGames();
  const score = final.result.scores[seat];
  if (!score || games.some((game) => game.table === table.id)) return;
  store([
    {
      table: table.id,
      edition: table.edition,
      at,
      seat,
      names: table.seats.map((one) => (one.kind === 'bot' ? `bot:${one.bot}` : one.name)),
      totals: final.result.scores.map((one) => one.total),
      winners: final.result.winners,
      completed: score.completed.length,
      failed: score.failed.length,
      longest: score.longest,
      routes,
    },
    ...games,
  ]);
}

/** Keep a game of cardboard that was counted here; its sheet is stored under `count.` and its id. */
export function noteCount(
  id: string,
  edition: string,
  names: readonly string[],
  result: Result,
  seat: number,
  routes: readonly string[],
  at: number,
): void {
  const score = result.scores[seat]!;
  store([
    {
      table: id,
      edition,
      at,
      seat,
      names,
      totals: result.scores.map((one) => one.total),
      winners: result.winners,
      completed: score.completed.length,
      failed: score.failed.length,
      longest: score.longest,
      routes,
    },
    ...loadGames(),
  ]);
}

/** Whether a game was counted here, and has a sheet instead of a film. */
export const isCount = (game: PlayedGame): boolean => game.table.startsWith('count-');

export function forgetGame(table: string): PlayedGame[] {
  forget('count.' + table);
  void forgetRecord(table);
  return store(loadGames().filter((game) => game.table !== table));
}

/** Return games as the text of a list. */
export function exportGames(games: readonly PlayedGame[]): string {
  return JSON.stringify({ form: FORM, version: 1, games }, null, 1);
}

/** Return the games of a list; null for a text that is none of ours. */
export function readGames(text: string): PlayedGame[] | null {
  if (text.length > 5_000_000) return null;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null || !('form' in read) || read.form !== FORM || !('games' in read))
    return null;
  return valid(read.games);
}

/** Add games to those of this device, but none twice; returns all. */
export function addGames(games: readonly PlayedGame[]): PlayedGame[] {
  const known = loadGames();
  const ids = new Set(known.map((game) => game.table));
  return store([...known, ...games.filter((game) => !ids.has(game.table) && ids.add(game.table))]);
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isWord = (value: unknown): value is string => typeof value === 'string' && value.length <= 80;
const isList = <T>(value: unknown, each: (one: unknown) => one is T, most: number): value is T[] =>
  Array.isArray(value) && value.length <= most && value.every(each);

/** Return what of a list are games, with nothing but what belongs to them. */
function valid(list: unknown): PlayedGame[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST).flatMap((one: unknown): PlayedGame[] => {
    if (typeof one !== 'object' || one === null) return [];
    const game = one as Record<string, unknown>;
    const { table, edition, at, seat, names, totals, winners, completed, failed, longest, routes } = game;
    if (!isWord(table) || !/^[A-Za-z0-9_-]{1,64}$/.test(table) || !isWord(edition)) return [];
    if (!isNumber(at) || !isNumber(seat) || !isNumber(completed) || !isNumber(failed) || !isNumber(longest)) return [];
    if (
      !isList(names, isWord, 6) ||
      !isList(totals, isNumber, 6) ||
      !isList(winners, isNumber, 6) ||
      !isList(routes, isWord, 200)
    )
      return [];
    if (totals.length !== names.length || !(seat in names)) return [];
    return [{ table, edition, at, seat, names, totals, winners, completed, failed, longest, routes }];
  });
}
