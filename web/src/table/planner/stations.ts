/**
 * Stations in a plan: a station lets its owner borrow one route of somebody else's that ends in its city. What may be
 * borrowed follows from who owns what; how a ticket is best connected is found here by trying.
 */
import type { RouteFact } from '../../protocol.gen.ts';

/** A route of another player that a way leads over, and the city of the station that borrows it. */
export interface Loan {
  readonly route: string;
  readonly city: string;
}

/** Return the routes of others that stations in some cities may borrow; to borrow costs no trains. */
export function borrowable(cities: readonly string[], others: readonly RouteFact[]): RouteFact[] {
  return others
    .filter(({ a, b }) => cities.includes(a) || cities.includes(b))
    .map((route) => ({ ...route, length: 0 }));
}

/** Return which station borrows which of some routes, one at most for each; null where there are too few stations. */
export function loansOf(routes: readonly RouteFact[], cities: readonly string[]): Loan[] | null {
  const lent = new Map<string, RouteFact>();
  const lend = (route: RouteFact, tried: Set<string>): boolean =>
    [route.a, route.b].some((city) => {
      if (!cities.includes(city) || tried.has(city)) return false;
      tried.add(city);
      const before = lent.get(city);
      if (before && !lend(before, tried)) return false;
      lent.set(city, route);
      return true;
    });
  if (!routes.every((route) => lend(route, new Set()))) return null;
  return [...lent].map(([city, { id }]) => ({ city, route: id }));
}

const MOST_TRIES = 40;

/**
 * Return the cheapest answer in which every station borrows one route at most. `solve` is given the routes that may be
 * borrowed, and returns what it used and what that costs.
 */
export function withLoans<Answer extends { readonly used: ReadonlySet<string>; readonly cost: number }>(
  lent: readonly RouteFact[],
  cities: readonly string[],
  solve: (lent: readonly RouteFact[]) => Answer,
): Answer & { readonly loans: readonly Loan[] } {
  let tries = 0;
  const cheapest = (allowed: readonly RouteFact[]): Answer & { readonly loans: readonly Loan[] } => {
    tries += 1;
    const answer = solve(allowed);
    const borrowed = allowed.filter((route) => answer.used.has(route.id));
    const loans = loansOf(borrowed, cities);
    if (loans) return { ...answer, loans };
    // One of them has to be done without: whichever costs the least.
    const without = (tries < MOST_TRIES ? borrowed : borrowed.slice(0, 1)).map((one) =>
      cheapest(allowed.filter((route) => route !== one)),
    );
    return without.reduce((best, other) => (other.cost < best.cost ? other : best));
  };
  return cheapest(lent);
}
