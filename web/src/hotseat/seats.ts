/** Several seats of one table on one device: their tokens, in the order of the seats. */
import { load, save } from '../lib/storage.ts';
import { saveToken } from '../connection/tokens.ts';
import type { HeldSeat } from '../protocol.gen.ts';

/** Note that this browser is the screen of a table for the room: it holds a token and no seat. */
export const saveScreen = (table: string): void => save(`screen.${table}`, '1');
export const isScreen = (table: string): boolean => load(`screen.${table}`) === '1';

export interface SharedSeat {
  readonly seat: number;
  readonly token: string;
}

const KEY = 'seats.';

/** Return the seats that are shared by the people at this device; fewer than two: nobody shares anything. */
export function loadSeats(table: string): readonly SharedSeat[] {
  try {
    const found = JSON.parse(load(KEY + table) ?? '[]') as SharedSeat[];
    return found.filter(({ seat, token }) => Number.isInteger(seat) && typeof token === 'string');
  } catch {
    return [];
  }
}

export const saveSeats = (table: string, seats: readonly SharedSeat[]): void =>
  save(KEY + table, JSON.stringify(seats));

/** Keep the tokens of a new table: one seat plainly, several as those of people who share the device. */
export function keepSeats(table: string, held: readonly HeldSeat[]): void {
  const seats = held.flatMap(({ seat, token }) => (seat === null ? [] : [{ seat, token }]));
  if (held[0]) saveToken(table, held[0].token);
  if (held[0]?.seat === null) saveScreen(table);
  if (seats.length > 1) saveSeats(table, seats);
}

/**
 * Return whose turn it is of those who share the device: the first of them that the game waits for.
 * All choose their first tickets at the same time; here they do it one by one, in the order of the seats.
 */
export function nextSeat(seats: readonly SharedSeat[], awaited: readonly number[]): SharedSeat | null {
  return seats.find(({ seat }) => awaited.includes(seat)) ?? null;
}
