/** Ways to draw on the map, along routes that are given. */

interface Step {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly length: number;
}

/** The shortest way between two cities along these routes; empty when there is none. */
export function wayBetween(from: string, to: string, routes: Iterable<Step>): string[] {
  const steps = [...routes];
  const best = new Map<string, { far: number; way: string[] }>([[from, { far: 0, way: [] }]]);
  const open = new Set([from]);
  while (open.size) {
    const at = [...open].reduce((a, b) => (best.get(a)!.far <= best.get(b)!.far ? a : b));
    if (at === to) return best.get(at)!.way;
    open.delete(at);
    const here = best.get(at)!;
    for (const step of steps) {
      if (step.a !== at && step.b !== at) continue;
      const next = step.a === at ? step.b : step.a;
      const far = here.far + step.length;
      if (far < (best.get(next)?.far ?? Infinity)) {
        best.set(next, { far, way: [...here.way, step.id] });
        open.add(next);
      }
    }
  }
  return [];
}
