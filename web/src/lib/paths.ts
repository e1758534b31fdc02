/** Paths on the map, along routes. */

interface Edge {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly length: number;
}

/** Return the routes of the shortest path between two cities; empty when there is none. */
export function shortestPath(from: string, to: string, routes: Iterable<Edge>): string[] {
  const edges = [...routes];
  const best = new Map<string, { length: number; path: string[] }>([[from, { length: 0, path: [] }]]);
  const open = new Set([from]);
  while (open.size) {
    const at = [...open].reduce((a, b) => (best.get(a)!.length <= best.get(b)!.length ? a : b));
    if (at === to) return best.get(at)!.path;
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
  return [];
}
