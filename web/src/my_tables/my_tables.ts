/** The tables at which this browser holds a seat, or several: what the start page lists, so that a closed tab costs nothing. */
import { forget, load, save, stored } from '../lib/storage.ts';
import type { TableInfo } from '../protocol.gen.ts';
import { seatNames } from '../ui/names.ts';

/** What is noted of a table: the seats that this browser holds, and how it stood when it was seen last. */
export interface Noted {
  readonly table: string;
  readonly seats: readonly number[];
  readonly edition: string;
  readonly names: readonly string[];
  readonly status: TableInfo['status'];
  /** When it was seen last, in milliseconds since 1970. */
  readonly at: number;
}

const TOKEN = 'table.';
const NOTE = 'mine.';

/** Note a table at which this browser holds seats; null while it is not known which. */
export function noteTable(table: TableInfo, held: readonly number[] | null, now = Date.now()): void {
  const before = read(table.id);
  const seats = held ?? before?.seats ?? [];
  const names = seatNames(table.seats);
  const noted: Noted = { table: table.id, seats, edition: table.edition, names, status: table.status, at: now };
  const same = before && JSON.stringify({ ...before, at: 0 }) === JSON.stringify({ ...noted, at: 0 });
  if (!same || now - before.at > 60_000) save(NOTE + table.id, JSON.stringify(noted));
}

/** Forget a table, with the seat that this browser holds there. */
export function forgetTable(table: string): void {
  for (const family of [TOKEN, NOTE, 'part.', 'shuffle.', 'seats.', 'screen.']) forget(family + table);
}

/** Return all tables at which this browser holds a seat, the one that was seen last first. */
export function notedTables(): Noted[] {
  const ids = new Set([...stored(TOKEN), ...stored(NOTE)]);
  const found = [...ids].map(
    (table) => read(table) ?? { table, seats: [], edition: '', names: [], status: 'waiting' as const, at: 0 },
  );
  return found.sort((a, b) => b.at - a.at);
}

/** Return the seats that this browser holds at a table, as far as it knows. */
export const seatsAt = (table: string): readonly number[] => read(table)?.seats ?? [];

function read(table: string): Noted | null {
  try {
    return JSON.parse(load(NOTE + table) ?? 'null') as Noted | null;
  } catch {
    return null;
  }
}

export type Standing = 'move' | 'wait' | 'over';

/** Return whether a table waits for this browser, for others, or for nobody any more. */
export function standingOf({ seats, status }: Noted, info: TableInfo | null): Standing {
  const now = info?.status ?? status;
  if (now === 'over') return 'over';
  const awaited = info && !info.paused ? info.awaited : [];
  return awaited?.some((seat) => seats.includes(seat)) ? 'move' : 'wait';
}
