/** Addresses of films: `#/replay/TABLE?turn=12.1&seat=2`, behind the hash sign, where no server and no preview sees them. */
import type { Eyes } from './reel.ts';

export interface FilmAddress {
  /** The table; null for a record from a file. */
  readonly table: string | null;
  /** The turn, and after a point its part from 1 on where it is not the whole turn. */
  readonly turn: string | null;
  readonly eyes: Eyes | null;
  /** Nothing that comes after the turn is loaded before it is asked for. */
  readonly spoilerFree: boolean;
  /** From this player's last decision on, and playing. */
  readonly since: boolean;
  /** The chosen moment to try something else from. */
  readonly fork: boolean;
}

const PATH = /^#\/replay(?:\/([A-Za-z0-9_-]{1,64}))?(?:\?(.*))?$/;
const TURN = /^\d{1,5}(\.[1-9]\d{0,2})?$/;

/** Return the film that the part of an address behind the hash sign means; null where it means none. */
export function parseFilm(hash: string): FilmAddress | null {
  const found = PATH.exec(hash);
  if (!found) return null;
  const asked = new URLSearchParams(found[2] ?? '');
  const turn = TURN.exec(asked.get('turn') ?? '');
  const seat = asked.get('seat') ?? '';
  return {
    table: found[1] ?? null,
    turn: turn?.[0] ?? null,
    eyes: seat === 'all' || seat === 'public' ? seat : /^[0-5]$/.test(seat) ? Number(seat) : null,
    spoilerFree: asked.get('spoilers') === 'no',
    since: asked.get('since') === 'mine',
    fork: asked.get('try') === 'yes',
  };
}

/** Return the address of a film at a moment, as seen from somebody's eyes. */
export function filmUrl(
  root: string,
  table: string | null,
  at: { turn?: string; eyes?: Eyes; spoilerFree?: boolean; since?: boolean; fork?: boolean } = {},
): string {
  const asked = new URLSearchParams();
  if (at.turn !== undefined) asked.set('turn', at.turn);
  if (at.eyes !== undefined && at.eyes !== 'all') asked.set('seat', String(at.eyes));
  if (at.spoilerFree) asked.set('spoilers', 'no');
  if (at.since) asked.set('since', 'mine');
  if (at.fork) asked.set('try', 'yes');
  const query = asked.toString();
  return `${root}#/replay${table === null ? '' : `/${table}`}${query ? `?${query}` : ''}`;
}
