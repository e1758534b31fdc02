/** A player's own tickets on the map: marks at their ends, and the path between them. */
import { shortestPath } from '../lib/paths.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import type { RouteFact } from '../protocol.gen.ts';

/** Marks by city: the ticket that ends there is done, or still open. */
export type Marks = Readonly<Record<string, 'done' | 'open'>>;

/** Return marks at the ends of one ticket, or of all tickets that are held or on offer. */
export function ticketMarks(model: TableModel, only: string | null, offer: readonly string[]): Marks {
  const marks: Record<string, 'done' | 'open'> = {};
  const tickets: { id: string; done: boolean }[] = [...(model.own?.tickets ?? []), ...offer.map((id) => ({ id, done: false }))];
  for (const { id, done } of tickets) {
    const ticket = model.edition?.tickets.get(id);
    if (!ticket || (only !== null && only !== id)) continue;
    for (const city of [ticket.a, ticket.b]) marks[city] = done && marks[city] !== 'open' ? 'done' : 'open';
  }
  return marks;
}

/** Reasons for which a route stays closed for the rest of the game. */
const CLOSED = new Set(['closed_double', 'own_double']);

/** Return the routes that are left for a seat's tickets: its own, which cost nothing, and those it may still claim. */
export function usable(model: TableModel): RouteFact[] {
  if (!model.edition || model.seat === null) return [];
  return model.edition.document.routes.flatMap((route) => {
    const owner = model.owners[route.id];
    if (owner === model.seat) return [{ ...route, length: 0 }];
    return owner === undefined && !CLOSED.has(model.barred[`claim ${route.id}`] ?? '') ? [route] : [];
  });
}

/** Return the routes of the shortest path for a ticket: own routes cost nothing, others must be open. */
export function ticketPath(model: TableModel, id: string | null): Set<string> {
  const ticket = id === null ? undefined : model.edition?.tickets.get(id);
  return new Set(ticket ? shortestPath(ticket.a, ticket.b, usable(model)) : []);
}
