/**
 * A move that is held, shown as done: the state as it will be, as far as the person can know it.
 *
 * Nothing is worked out here: the server has listed the move with its payment, and the edition says
 * what a route is worth. What only the server knows (the card behind a card, a tunnel) is left out.
 */
import type { Edition } from '../../lib/edition.ts';
import { parseMove } from '../../lib/moves.ts';
import type { State } from '../../protocol.gen.ts';

type Counts = Readonly<Record<string, number>>;

/** Return counts with cards added, or taken away (`by` -1). */
function counted(counts: Counts, cards: readonly string[], by: 1 | -1): Record<string, number> {
  const result: Record<string, number> = { ...counts };
  for (const card of cards) result[card] = (result[card] ?? 0) + by;
  return Object.fromEntries(Object.entries(result).filter(([, count]) => count > 0));
}

/** Return the state in which the viewer's move is done. */
export function preview(state: State, action: string, edition: Edition): State {
  const { own, public: game } = state;
  if (!own || !game) return state;
  const move = parseMove(action);
  const me = game.seats[own.seat]!;
  const seats = (change: Partial<typeof me>) =>
    game.seats.map((seat, at) => (at === own.seat ? { ...seat, ...change } : seat));
  const waiting = { ...own, moves: null };
  switch (move.verb) {
    case 'claim': {
      const route = edition.routes.get(move.target);
      const spent = { ...waiting, hand: counted(own.hand, move.cards, -1) };
      const cards = me.cards - move.cards.length;
      // A tunnel is tried, not claimed: nobody knows yet what it costs.
      if (!route || route.tunnel) return { ...state, own: spent, public: { ...game, seats: seats({ cards }) } };
      const claimed = {
        cards,
        routes: [...me.routes, move.target],
        trains: me.trains - route.length,
        points: me.points + edition.points(route.length),
      };
      return {
        ...state,
        own: spent,
        public: { ...game, seats: seats(claimed), discards: counted(game.discards, move.cards, 1) },
      };
    }
    case 'station': {
      const built = {
        cards: me.cards - move.cards.length,
        stations: [...me.stations, move.target],
        stations_left: me.stations_left - 1,
      };
      return {
        ...state,
        own: { ...waiting, hand: counted(own.hand, move.cards, -1) },
        public: { ...game, seats: seats(built), discards: counted(game.discards, move.cards, 1) },
      };
    }
    case 'take': {
      // Its place in the display stays: it is there that the next tap is made.
      return {
        ...state,
        own: { ...waiting, hand: counted(own.hand, move.cards, 1) },
        public: { ...game, seats: seats({ cards: me.cards + 1 }) },
      };
    }
    case 'draw':
      return {
        ...state,
        own: waiting,
        public: { ...game, seats: seats({ cards: me.cards + 1 }), deck: Math.max(0, game.deck - 1) },
      };
    case 'keep': {
      const kept = move.kept.flatMap((at) => own.offer[at - 1] ?? []);
      const tickets = [...own.tickets, ...kept.map((id) => ({ id, done: false }))];
      return { ...state, own: { ...waiting, offer: [], tickets } };
    }
    case 'pay': {
      const route = edition.routes.get(game.tunnel?.route ?? '');
      const dug = route && {
        routes: [...me.routes, route.id],
        trains: me.trains - route.length,
        points: me.points + edition.points(route.length),
      };
      return {
        ...state,
        own: { ...waiting, hand: counted(own.hand, move.cards, -1) },
        public: { ...game, tunnel: null, seats: seats({ cards: me.cards - move.cards.length, ...dug }) },
      };
    }
    case 'withdraw':
      return {
        ...state,
        own: { ...waiting, hand: counted(own.hand, game.tunnel?.laid ?? [], 1) },
        public: { ...game, tunnel: null, seats: seats({ cards: me.cards + (game.tunnel?.laid.length ?? 0) }) },
      };
    default:
      return { ...state, own: waiting };
  }
}
