/** All games of this device as one file: their records, each in a file of its own, and the list of the games. */
import { errorCode, type Server } from '../connection/http.ts';
import { loadToken } from '../connection/tokens.ts';
import { unzip, zip } from '../lib/zip.ts';
import type { Result } from '../protocol.gen.ts';
import { keepRecord, keptRecord } from './kept_records.ts';
import { addGames, exportGames, isCount, loadGames, MOST, readGames, type PlayedGame } from './my_games.ts';

const LIST = 'games.json';
const GONE = ['no_such_table', 'not_started', 'unreadable_game']; // answers of a server that has no record
const PAUSE = 1_000; // milliseconds until a server is asked again that has had enough

/** Told before each record which one it is, of how many. */
export type Progress = (record: number, of: number) => void;

/** Return a file with games and their records, and how many there are without a record: nobody has it any more. */
export async function exportArchive(
  server: Server,
  games: readonly PlayedGame[],
  progress: Progress,
): Promise<{ readonly file: Blob; readonly without: number }> {
  const files = new Map([[LIST, new Blob([exportGames(games)])]]);
  const played = games.filter((game) => !isCount(game));
  for (const [number, { table }] of played.entries()) {
    progress(number + 1, played.length);
    const record = await recordOf(server, table);
    if (record) files.set(nameOf(table), record);
  }
  return { file: await zip(files), without: played.length - (files.size - 1) };
}

export interface Imported {
  readonly added: number;
  /** Games that were here already. */
  readonly there: number;
  /** Games that were left out: their records break the rules, or are none of a finished game. */
  readonly refused: number;
}

/** Add the games of a file, once the rules have proved each record; null for a file that is none of ours. Throws where there is no room. */
export async function importArchive(server: Server, file: Blob, progress: Progress): Promise<Imported | null> {
  const files = await unzip(file).catch(() => null);
  const list = await files?.get(LIST)?.text();
  const games = list === undefined ? null : readGames(list);
  if (!files || !games) return null;
  const known = new Set(loadGames().map((game) => game.table));
  const count = { added: 0, there: 0, refused: 0 };
  for (const [number, game] of games.entries()) {
    progress(number + 1, games.length);
    const { table } = game;
    const record = files.get(nameOf(table));
    if (known.has(table) && (!record || (await recordOf(server, table)))) {
      count.there += 1;
      continue;
    }
    const proved = record ? await prove(server, game, record) : game;
    if (!proved) {
      count.refused += 1;
      continue;
    }
    if (known.size >= MOST && !known.has(table)) throw new Error('no room: an older game would be lost');
    if (record) await keepRecord(table, await record.text());
    addGames([proved]);
    known.add(table);
    count.added += 1;
  }
  return count;
}

const nameOf = (table: string): string => `${table}.jsonl`;

/** Return the record of a finished game; null where neither this device nor the server has it any more. */
async function recordOf(server: Server, table: string): Promise<Blob | null> {
  const kept = await keptRecord(table);
  if (kept) return kept;
  // The finished game is open to everybody; a token of another time holds nothing any more.
  for (const token of new Set([loadToken(table), null])) {
    try {
      return await patient(() => server.record(table, token));
    } catch (problem) {
      if (GONE.includes(errorCode(problem))) return null;
      if (token === null || errorCode(problem) !== 'wrong_token') throw problem;
    }
  }
  return null;
}

/** Return a game with the figures of its record, which the rules have proved; null where they do not agree with it. */
async function prove(server: Server, game: PlayedGame, record: Blob): Promise<PlayedGame | null> {
  try {
    await patient(() => server.filmOfRecord(record, { view: 'public', until: '0' }));
  } catch (problem) {
    if (['invalid_record', 'too_large', 'bad_message'].includes(errorCode(problem))) return null;
    throw problem;
  }
  const lines = (await record.text()).trimEnd().split('\n');
  const { edition, players } = JSON.parse(lines[0]!) as { edition: string; players: string[] };
  const { result } = JSON.parse(lines.at(-1)!) as { result?: Result };
  const score = result?.scores[game.seat];
  if (!result || !score) return null; // the game is still going on, or had no such seat
  const routes = lines
    .filter((line) => line.includes('"claim"'))
    .map((line) => JSON.parse(line) as { event?: string; player: number; route: string })
    .flatMap(({ event, player, route }) => (event === 'claim' && player === game.seat ? [route] : []));
  return {
    ...game,
    edition,
    names: players,
    totals: result.scores.map((one) => one.total),
    winners: result.winners,
    completed: score.completed.length,
    failed: score.failed.length,
    longest: score.longest,
    routes,
  };
}

/** Do what the server is asked, again and again where it answers that this comes too fast. */
async function patient<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (problem) {
      if (errorCode(problem) !== 'too_fast') throw problem;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}
