/** What has happened in front of everybody, as scenes that can be played: cards that fly, tunnels, a flush. */
import type { State } from '../../protocol.gen.ts';

export interface CardScene {
  readonly kind: 'card';
  readonly seat: number;
  /** Null: from the deck, and only who drew it knows what it is. */
  readonly card: string | null;
  /** The place in the display it was taken from; null: the deck. */
  readonly place: number | null;
}
export interface TunnelScene {
  readonly kind: 'tunnel';
  readonly seat: number;
  readonly route: string;
  readonly laid: readonly string[];
  readonly revealed: readonly string[];
  /** The places of those that cost one more. */
  readonly counting: readonly number[];
  readonly extra: number;
}
export interface FlushScene {
  readonly kind: 'flush';
  readonly cards: readonly (string | null)[];
}
export type Scene = CardScene | TunnelScene | FlushScene;

/** Entries beyond this have been missed, not watched: they are in the log. */
const MANY = 8;

/** Return the scenes of a message's entries after number `known`, in their order. */
export function scenesOf(state: State, known: number): Scene[] {
  const fresh = state.entries.filter((entry) => entry.number > known);
  if (fresh.length > MANY) return [];
  return fresh.flatMap((entry) => {
    if (entry.entry !== 'decided') return [];
    return entry.events.flatMap((event): Scene[] => {
      switch (event.event) {
        case 'take':
          return [{ kind: 'card', seat: event.player, card: event.card, place: event.place }];
        case 'draw':
          return [{ kind: 'card', seat: event.player, card: event.card, place: null }];
        case 'tunnel': {
          const { player, route, cards, revealed, extra } = event;
          return [
            { kind: 'tunnel', seat: player, route, laid: cards, revealed, counting: entry.counting ?? [], extra },
          ];
        }
        case 'flush':
          return [{ kind: 'flush', cards: event.cards }];
        default:
          return [];
      }
    });
  });
}

/** Return the cards that each of the others has taken since a viewer's last decision, as everybody saw it. */
export function takenSince(
  entries: State['entries'],
  last: number,
  viewer: number | null,
): ReadonlyMap<number, readonly (string | null)[]> {
  const taken = new Map<number, (string | null)[]>();
  for (const entry of entries) {
    if (entry.number <= last || entry.entry !== 'decided' || entry.seat === viewer) continue;
    for (const event of entry.events) {
      if (event.event !== 'take' && event.event !== 'draw') continue;
      const cards = taken.get(entry.seat) ?? [];
      cards.push(event.event === 'take' ? event.card : null);
      taken.set(entry.seat, cards);
    }
  }
  return taken;
}
