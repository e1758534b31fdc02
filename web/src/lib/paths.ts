/** Paths on the map, along routes. */

interface Edge {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly length: number;
}

/** Return the routes of the shortest path between two cities; empty when there is none. */
export function shortestPath(from: string, to: string, routes: Iterable<Edge>): string[] {
  const { path } = reach(from, [...routes]).get(to) ?? { path: [] };
  return path;
}

/** Return how far every city is that can be reached from one. */
export function distancesFrom(from: string, routes: Iterable<Edge>): ReadonlyMap<string, number> {
  return new Map([...reach(from, [...routes])].map(([city, { length }]) => [city, length]));
}

/** All cheapest ways between two cities: their length, null when there is none, and every route on one of them. */
export interface Ways {
  readonly length: number | null;
  readonly routes: ReadonlySet<string>;
}

/** Return all cheapest ways between two cities, not only one of them. */
export function cheapestWays(from: string, to: string, routes: Iterable<Edge>): Ways {
  const edges = [...routes];
  const [there, back] = [reach(from, edges), reach(to, edges)];
  const least = there.get(to)?.length;
  if (least === undefined) return { length: null, routes: new Set() };
  const on = edges.filter(({ a, b, length }) =>
    [
      [a, b],
      [b, a],
    ].some(
      ([one, other]) =>
        (there.get(one!)?.length ?? Infinity) + length + (back.get(other!)?.length ?? Infinity) === least,
    ),
  );
  return { length: least, routes: new Set(on.map((edge) => edge.id)) };
}

/** Return the shortest path to every city that can be reached. */
function reach(from: string, edges: readonly Edge[]): Map<string, { length: number; path: string[] }> {
  const best = new Map<string, { length: number; path: string[] }>([[from, { length: 0, path: [] }]]);
  const open = new Set([from]);
  while (open.size) {
    const at = [...open].reduce((a, b) => (best.get(a)!.length <= best.get(b)!.length ? a : b));
    open.delete(at);
    const here = best.get(at)!;
    for (const edge of edges) {
      if (edge.a !== at && edge.b !== at) continue;
      const next = edge.a === at ? edge.b : edge.a;
      const length = here.length + edge.length;
      if (length < (best.get(next)?.length ?? Infinity)) {
        best.set(next, { length, path: [...here.path, edge.id] });
        open.add(next);
      }
    }
  }
  return best;
}
