/** A player's own tickets on the map: their ends, and the ways between them. */
import type { TableModel } from '../lib/table.svelte.ts';
import { shortestPath } from '../lib/paths.ts';

export type Marks = Record<string, 'done' | 'open'>;
type TicketState = { readonly id: string; readonly done: boolean };

/** Ends of the ticket that is looked at, or of all that matter now: held, and on offer. */
export function endsOf(model: TableModel, looked: string | null, offer: readonly string[]): Marks {
  const marks: Marks = {};
  const all: TicketState[] = [...(model.own?.tickets ?? []), ...offer.map((id) => ({ id, done: false }))];
  for (const { id, done } of all) {
    const ticket = model.edition?.tickets.get(id);
    if (!ticket || (looked !== null && looked !== id)) continue;
    for (const city of [ticket.a, ticket.b]) marks[city] = done && marks[city] !== 'open' ? 'done' : 'open';
  }
  return marks;
}

const CLOSED = new Set(['closed_double', 'own_double']);

/** The way of the ticket that is looked at: along own routes, and where it is not done, what is open. */
export function wayOf(model: TableModel, looked: string | null): Set<string> {
  const ticket = looked === null ? undefined : model.edition?.tickets.get(looked);
  if (!ticket || !model.edition || model.seat === null) return new Set();
  const steps = model.edition.document.routes.flatMap((route) => {
    const owner = model.owners[route.id];
    if (owner === model.seat) return [{ ...route, length: 0 }];
    return owner === undefined && !CLOSED.has(model.barred[`claim ${route.id}`] ?? '') ? [route] : [];
  });
  return new Set(shortestPath(ticket.a, ticket.b, steps));
}
