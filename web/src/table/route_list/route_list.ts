/**
 * The routes of a phone's list: those on the cheapest ways of each ticket, then all others that can be paid.
 *
 * What can be claimed, and why something cannot, is what the server says; what is missing while others
 * play is added up as in the planner.
 */
import type { Payment } from '../../lib/moves.ts';
import type { Ways } from '../../lib/paths.ts';
import type { TableModel } from '../../lib/table.svelte.ts';
import type { RouteFact } from '../../protocol.gen.ts';
import { missingCards, type Missing } from '../planner/plan.ts';

export interface ListedRoute {
  readonly route: RouteFact;
  /** The ways to pay for it now, the cheapest in locomotives first. */
  readonly payments: readonly Payment[];
  /** Why it cannot be claimed now, as the server calls it; null while others play. */
  readonly reason: string | null;
  /** What the hand lacks for it. */
  readonly missing: Missing;
}

/** A ticket with the free routes on its cheapest ways. */
export interface ListedTicket {
  readonly id: string;
  readonly done: boolean;
  readonly routes: readonly ListedRoute[];
}

export interface RouteList {
  readonly tickets: readonly ListedTicket[];
  /** Routes that lead to no ticket and can be paid. */
  readonly others: readonly ListedRoute[];
}

/** Return how many cards are missing, where locomotives stand in for what they can. */
export function lacking({ colors, gray, locomotives, spare }: Missing): number {
  const sum = [...Object.values(colors), ...gray].reduce((all, count) => all + count, 0);
  return locomotives + Math.max(0, sum - spare);
}

/**
 * Return the routes by ticket, open tickets first. `payable` are those that could be paid when it was last this
 * player's turn: they stand first, and nothing changes its place while others play.
 */
export function routeList(model: TableModel, ways: ReadonlyMap<string, Ways>, payable: ReadonlySet<string>): RouteList {
  const { edition, own, owners } = model;
  if (!edition || !own) return { tickets: [], others: [] };
  const free = edition.document.routes.filter((route) => owners[route.id] === undefined);
  const listed = new Map(
    free.map((route): [string, ListedRoute] => [
      route.id,
      {
        route,
        payments: model.moves.claims.get(route.id) ?? [],
        reason: model.barred[`claim ${route.id}`] ?? null,
        missing: missingCards([route], own.hand),
      },
    ]),
  );
  const order = (a: ListedRoute, b: ListedRoute) =>
    Number(payable.has(b.route.id)) - Number(payable.has(a.route.id)) ||
    lacking(a.missing) - lacking(b.missing) ||
    edition.routeName(a.route.id).localeCompare(edition.routeName(b.route.id));
  const sorted = (ids: Iterable<string>) => [...ids].flatMap((id) => listed.get(id) ?? []).sort(order);

  const tickets = own.tickets.map(({ id, done }) => ({
    id,
    done,
    routes: done ? [] : sorted(ways.get(id)?.routes ?? []),
  }));
  const shown = new Set(tickets.flatMap(({ routes }) => routes.map(({ route }) => route.id)));
  return {
    tickets: tickets.sort((a, b) => Number(a.done) - Number(b.done)),
    others: sorted([...payable].filter((id) => !shown.has(id))),
  };
}
