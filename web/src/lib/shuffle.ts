/**
 * This browser's part in the shuffle. It commits to 32 random bytes when it takes a seat, reveals
 * them when all are there, and checks at the end that the seed was mixed from what everybody
 * committed to. The hash is a library's: `crypto.subtle` does not exist on plain http.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { FinalState, ShuffleInfo, TableInfo } from '../protocol.gen.ts';
import { load, save } from './storage.ts';

const METHOD = 'ferrovia shuffle 1';
const HASH = /^[0-9a-f]{64}$/;

/** Return 32 new random bytes, in hex. */
export const newPart = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(32)));

/** Return the commitment to a part or a seed: the SHA-256 of its bytes, in hex. */
export const commitmentTo = (part: string): string => bytesToHex(sha256(hexToBytes(part)));

export const savePart = (table: string, part: string): void => save(`part.${table}`, part);
export const loadPart = (table: string): string | null => load(`part.${table}`);

/** Return this browser's part at a table, a new one if there is none yet. */
export function partAt(table: string): string {
  const known = loadPart(table);
  if (known && HASH.test(known)) return known;
  const part = newPart();
  savePart(table, part);
  return part;
}

/** Return the seed that follows from the server's part and those of the seats (null: none). */
export function mixedSeed(server: string, seats: readonly (string | null)[]): string {
  const parts = seats.flatMap((part, seat) => (part === null ? [] : [`${seat} ${part}`]));
  const lines = [METHOD, `server ${server}`, ...parts].map((line) => `${line}\n`).join('');
  return bytesToHex(sha256(utf8ToBytes(lines)));
}

/** What was published before this browser revealed its part, and when the game began: it may not change any more. */
export interface Seen {
  readonly server: string | null;
  readonly seats: readonly (string | null)[];
  readonly commitment: string | null;
}

const commitments = (shuffle: ShuffleInfo) => shuffle.seats.map((part) => part?.commitment ?? null);

/**
 * Note what is published of a table's shuffle, in the table before the game and in the event of its
 * start from then on; what was noted before is kept.
 */
export function noteSeen(table: TableInfo, started: ShuffleInfo | null): void {
  const shuffle = table.status === 'waiting' ? table.shuffle : started;
  if (!shuffle || (table.status === 'waiting' && shuffle.reveal_by === null)) return;
  const before = loadSeen(table.id);
  if (before && (before.commitment ?? table.commitment) === before.commitment) return;
  const { server, seats } = before ?? { server: shuffle.server, seats: commitments(shuffle) };
  save(`shuffle.${table.id}`, JSON.stringify({ server, seats, commitment: table.commitment } satisfies Seen));
}

export function loadSeen(table: string): Seen | null {
  try {
    return JSON.parse(load(`shuffle.${table}`) ?? 'null') as Seen | null;
  } catch {
    return null;
  }
}

export type Verdict = 'fair' | 'without_me' | 'server_only' | 'given' | 'wrong';

/**
 * Check the shuffle of a game that is over against everything that was published; null if the
 * table says nothing of it. `part` is this browser's own, `seen` what it noted.
 */
export function judge(table: TableInfo, final: FinalState, part: string | null, seen: Seen | null): Verdict | null {
  const { shuffle } = table;
  if (!shuffle) return null;
  if (shuffle.given) return 'given';
  const { server } = shuffle;
  const parts = shuffle.seats.map((one) => one?.part ?? null);
  const hashes = [server, final.part, final.seed, table.commitment, ...parts.filter((one) => one !== null)];
  if (!hashes.every((one) => typeof one === 'string' && HASH.test(one))) return 'wrong';
  const right =
    commitmentTo(final.part!) === server &&
    shuffle.seats.every((one) => !one?.part || commitmentTo(one.part) === one.commitment) &&
    mixedSeed(final.part!, parts) === final.seed &&
    commitmentTo(final.seed) === table.commitment;
  if (!right || (seen && !agrees(seen, table, shuffle))) return 'wrong';
  if (parts.every((one) => one === null)) return 'server_only';
  return part !== null && parts.includes(part) ? 'fair' : 'without_me';
}

function agrees(seen: Seen, table: TableInfo, shuffle: ShuffleInfo): boolean {
  return (
    seen.server === shuffle.server &&
    (seen.commitment === null || seen.commitment === table.commitment) &&
    JSON.stringify(seen.seats) === JSON.stringify(commitments(shuffle))
  );
}
