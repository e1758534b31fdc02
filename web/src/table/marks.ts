/** A player's own tickets on the map: marks at their ends, the ways between them, and what these still need. */
import { cheapestWays, shortestPath, type Ways } from '../lib/paths.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import type { RouteFact } from '../protocol.gen.ts';
import { borrowable, withLoans } from './planner/stations.ts';

/** A mark at an end of a ticket; both ends have the same letter. `offered`: it can be kept, and is not held. */
export interface Mark {
  readonly letter: string;
  readonly state: 'done' | 'open' | 'offered';
}
/** Marks by city. */
export type Marks = Readonly<Record<string, readonly Mark[]>>;

const letter = (at: number) => String.fromCharCode(65 + (at % 26));

/** Return the letter of every ticket that is held or on offer, in the order in which they came. */
export function ticketLetters(model: TableModel, offer: readonly string[]): ReadonlyMap<string, string> {
  const all = [...(model.own?.tickets ?? []).map((ticket) => ticket.id), ...offer];
  return new Map(all.map((id, at) => [id, letter(at)]));
}

/** Return marks at the ends of one ticket, or of all tickets that are held or on offer. */
export function ticketMarks(model: TableModel, only: string | null, offer: readonly string[]): Marks {
  const marks: Record<string, Mark[]> = {};
  const letters = ticketLetters(model, offer);
  const tickets = [
    ...(model.own?.tickets ?? []).map(({ id, done }) => ({ id, state: done ? ('done' as const) : ('open' as const) })),
    ...offer.map((id) => ({ id, state: 'offered' as const })),
  ];
  for (const { id, state } of tickets) {
    const ticket = model.edition?.tickets.get(id);
    if (!ticket || (only !== null && only !== id)) continue;
    for (const city of [ticket.a, ticket.b]) (marks[city] ??= []).push({ letter: letters.get(id)!, state });
  }
  return marks;
}

/** Return the routes that are left for a seat's tickets: its own, which cost nothing, and those it may still claim. */
export function usable(model: TableModel): RouteFact[] {
  if (!model.edition || model.seat === null) return [];
  const closed = new Set(model.public?.seats[model.seat]?.closed);
  return model.edition.document.routes.flatMap((route) => {
    const owner = model.owners[route.id];
    if (owner === model.seat) return [{ ...route, length: 0 }];
    return owner === undefined && !closed.has(route.id) ? [route] : [];
  });
}

/** Return the routes that others have claimed. */
export function ofOthers(model: TableModel): RouteFact[] {
  const { edition, owners, seat } = model;
  return (edition?.document.routes ?? []).filter(({ id }) => owners[id] !== undefined && owners[id] !== seat);
}

/** Return the cities of this viewer's stations. */
export function ownStations(model: TableModel): readonly string[] {
  return model.public?.seats[model.seat ?? -1]?.stations ?? [];
}

/** Return the routes of the shortest path between the ends of a ticket, and what it may lead over: one borrowed route for a station. */
function shortest(
  model: TableModel,
  id: string,
  routes: readonly RouteFact[],
): { used: ReadonlySet<string>; over: readonly RouteFact[] } {
  const ticket = model.edition?.tickets.get(id);
  if (!ticket) return { used: new Set(), over: routes };
  const cities = ownStations(model);
  return withLoans(cities.length ? borrowable(cities, ofOthers(model)) : [], cities, (lent) => {
    const over = [...routes, ...lent];
    const path = shortestPath(ticket.a, ticket.b, over);
    const used = new Set(path);
    const cost = path.length ? over.reduce((sum, route) => sum + (used.has(route.id) ? route.length : 0), 0) : Infinity;
    return { used, cost, over };
  });
}

/** Return the routes of the shortest path for a ticket: own routes and what a station borrows cost nothing, others must be open. */
export function ticketPath(model: TableModel, id: string | null): Set<string> {
  return new Set(id === null ? [] : shortest(model, id, usable(model)).used);
}

/** Return the cheapest ways for tickets: how many trains each still needs, and the routes they lead over. */
export function ticketWays(model: TableModel, tickets: readonly string[]): ReadonlyMap<string, Ways> {
  const routes = usable(model);
  return new Map(
    tickets.flatMap((id): [string, Ways][] => {
      const ticket = model.edition?.tickets.get(id);
      if (!ticket) return [];
      return [
        [id, cheapestWays(ticket.a, ticket.b, ownStations(model).length ? shortest(model, id, routes).over : routes)],
      ];
    }),
  );
}
