/** Hit test: which route or city lies at a point of the sheet. */

import { rowLine } from '../drawing/rows.ts';
import type { Box, Picture } from '../picture.ts';
import type { Point } from '../zoom/view.ts';

const NOTHING: ReadonlySet<string> = new Set();

export type Target = { readonly kind: 'route' | 'city'; readonly id: string };

/** A picture prepared for the question which route or city lies at a point. */
export class HitTest {
  private readonly rows: readonly { id: string; line: readonly Point[]; half: number }[];

  constructor(private readonly picture: Picture) {
    this.rows = picture.routes.map((route) => ({
      id: route.id,
      line: rowLine(route),
      half: (route.spaces[0]?.height ?? 0) / 2,
    }));
  }

  /**
   * Return the nearest city or route whose outline is within `reach` (units); a name belongs to its city. What is `wanted` goes
   * before what is nearer, but not before a city whose dot is hit itself.
   */
  at(
    point: Point,
    reach: number,
    plates: ReadonlyMap<string, Box>,
    wanted: ReadonlySet<string> = NOTHING,
  ): Target | null {
    const dot = this.#nearest(point, Number.EPSILON, plates);
    if (dot?.kind === 'city') return dot;
    return (wanted.size ? this.#nearest(point, reach, plates, wanted) : null) ?? this.#nearest(point, reach, plates);
  }

  #nearest(point: Point, reach: number, plates: ReadonlyMap<string, Box>, only?: ReadonlySet<string>): Target | null {
    let best: Target | null = null;
    let least = reach;
    for (const city of this.picture.cities) {
      if (only && !only.has(city.id)) continue;
      const dot = Math.hypot(point.x - city.x, point.y - city.y) - this.picture.city;
      const plate = plates.get(city.id);
      const off = Math.max(0, Math.min(dot, plate ? distanceToBox(point, plate) + 0.5 : Infinity));
      if (off < least) [best, least] = [{ kind: 'city', id: city.id }, off];
    }
    for (const row of this.rows) {
      if (only && !only.has(row.id)) continue;
      const off = Math.max(0, distanceToLine(point, row.line) - row.half);
      if (off < least) [best, least] = [{ kind: 'route', id: row.id }, off];
    }
    return best;
  }
}

function distanceToBox(at: Point, box: Box): number {
  return Math.hypot(Math.max(box.x - at.x, at.x - box.x - box.w, 0), Math.max(box.y - at.y, at.y - box.y - box.h, 0));
}

function distanceToLine(at: Point, line: readonly Point[]): number {
  let least = Infinity;
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1]!;
    const b = line[i]!;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const t = Math.max(0, Math.min(1, ((at.x - a.x) * dx + (at.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(at.x - a.x - t * dx, at.y - a.y - t * dy));
  }
  return least;
}
