/**
 * A plan: ways for one or several tickets, together as cheap as can be, and what they still need.
 *
 * What is open and what a route costs is what the server says; here it is only added up.
 */
import { shortestPath } from '../../lib/paths.ts';
import type { RouteFact, TicketInPlay } from '../../protocol.gen.ts';

/** A ticket to plan for, and the routes that its way is bent over, in this order. */
export interface Pin {
  readonly ticket: string;
  readonly via: readonly string[];
}

/** The cards that are missing for some routes. */
export interface Missing {
  /** By colour, for routes of a colour. */
  readonly colors: Readonly<Record<string, number>>;
  /** For each grey route that lacks some: how many of one colour, whichever it is. */
  readonly gray: readonly number[];
  /** Locomotives that ferries ask for. */
  readonly locomotives: number;
  /** Locomotives in the hand that can stand in for what else is missing. */
  readonly spare: number;
}

/** Return all orders of a few things. */
function orders<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((one, at) => orders([...all.slice(0, at), ...all.slice(at + 1)]).map((rest) => [one, ...rest]));
}

const lengthOf = (path: readonly string[], routes: ReadonlyMap<string, RouteFact>) =>
  path.reduce((sum, id) => sum + (routes.get(id)?.length ?? 0), 0);

/** Return the cheapest way between two cities over some routes, in their order; null when there is none. */
export function wayOver(
  from: string,
  to: string,
  via: readonly string[],
  routes: readonly RouteFact[],
): string[] | null {
  const known = new Map(routes.map((route) => [route.id, route]));
  const [next, ...rest] = via.flatMap((id) => known.get(id) ?? []);
  if (!next) {
    const path = shortestPath(from, to, routes);
    return path.length || from === to ? path : null;
  }
  const free = routes.filter((route) => route.id !== next.id);
  const after = rest.map((route) => route.id);
  const ways = [
    [next.a, next.b],
    [next.b, next.a],
  ].flatMap(([enter, leave]) => {
    const before = wayOver(from, enter!, [], free);
    const on = before && wayOver(leave!, to, after, free);
    return before && on ? [[...new Set([...before, next.id, ...on])]] : [];
  });
  return ways.sort((a, b) => lengthOf(a, known) - lengthOf(b, known))[0] ?? null;
}

const LOST = 1_000; // trains that a ticket without a way counts for: more than there are

/** Return the cost of ways: the trains of their routes, each counted once, and far more for every ticket without one. */
export function costOf(ways: ReadonlyMap<string, readonly string[] | null>, routes: readonly RouteFact[]): number {
  const all = [...ways.values()];
  const used = new Set(all.flatMap((way) => way ?? []));
  const trains = routes.reduce((sum, route) => sum + (used.has(route.id) ? route.length : 0), 0);
  return trains + LOST * all.filter((way) => way === null).length;
}

const MOST_ORDERS = 3; // tickets: of more, the longest are planned first

/**
 * Return a way for every pinned ticket, null for one that has none left. What one way needs anyway costs the
 * others nothing, so all orders of few tickets are tried. `routes` are those left, own ones of length 0.
 */
export function planWays(
  pins: readonly Pin[],
  tickets: ReadonlyMap<string, TicketInPlay>,
  routes: readonly RouteFact[],
  avoided: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[] | null> {
  const left = routes.filter((route) => !avoided.has(route.id));
  const tried =
    pins.length <= MOST_ORDERS
      ? orders(pins)
      : [[...pins].sort((a, b) => (tickets.get(b.ticket)?.points ?? 0) - (tickets.get(a.ticket)?.points ?? 0))];
  let best: { ways: Map<string, readonly string[] | null>; cost: number } | null = null;
  for (const order of tried) {
    const ways = new Map<string, readonly string[] | null>();
    const used = new Set<string>();
    for (const pin of order) {
      const ticket = tickets.get(pin.ticket);
      if (!ticket) continue;
      const cheap = left.map((route) => (used.has(route.id) ? { ...route, length: 0 } : route));
      const way = wayOver(ticket.a, ticket.b, pin.via, cheap);
      ways.set(pin.ticket, way);
      for (const id of way ?? []) used.add(id);
    }
    const cost = costOf(ways, left);
    if (best === null || cost < best.cost) best = { ways, cost };
  }
  return best?.ways ?? new Map();
}

/** Return the cards that a hand lacks for routes; grey ones take the colours of which most is left. */
export function missingCards(routes: readonly RouteFact[], hand: Readonly<Record<string, number>>): Missing {
  const left: Record<string, number> = { ...hand };
  let engines = left['locomotive'] ?? 0;
  delete left['locomotive'];
  const colors: Record<string, number> = {};
  const gray: number[] = [];
  let locomotives = 0;
  const take = (color: string, count: number): number => {
    const had = Math.min(left[color] ?? 0, count);
    left[color] = (left[color] ?? 0) - had;
    return count - had;
  };
  for (const route of routes) {
    locomotives += route.ferry;
    if (route.color === 'gray') continue;
    const lacking = take(route.color, route.length - route.ferry);
    if (lacking) colors[route.color] = (colors[route.color] ?? 0) + lacking;
  }
  for (const route of routes.filter((one) => one.color === 'gray').sort((a, b) => b.length - a.length)) {
    const [most] = Object.keys(left).sort((a, b) => left[b]! - left[a]!);
    const lacking = most === undefined ? route.length - route.ferry : take(most, route.length - route.ferry);
    if (lacking) gray.push(lacking);
  }
  const forFerries = Math.min(engines, locomotives);
  engines -= forFerries;
  return { colors, gray, locomotives: locomotives - forFerries, spare: engines };
}
