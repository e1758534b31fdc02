/** The geometry of routes and cities: the line through a row, what lies under a point, what is next. */

import type { CityPicture, Picture, RoutePicture } from './picture.ts';
import type { Point } from './view.ts';

/** The line through the middle of a row of spaces, from its first edge to its last. */
export function rowLine(route: RoutePicture): Point[] {
  const middles = route.spaces.map(({ x, y }) => ({ x, y }));
  const first = route.spaces[0];
  const last = route.spaces.at(-1);
  if (!first || !last) return [];
  const towards = middles.length > 1 ? middles[1]! : { x: first.x + cos(first.angle), y: first.y + sin(first.angle) };
  const from = middles.length > 1 ? middles.at(-2)! : { x: last.x - cos(last.angle), y: last.y - sin(last.angle) };
  return [beyond(towards, middles[0]!, first.width / 2), ...middles, beyond(from, middles.at(-1)!, last.width / 2)];
}

/** The point `by` further than `to` on the way from `from`. */
function beyond(from: Point, to: Point, by: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: to.x + ((to.x - from.x) / length) * by, y: to.y + ((to.y - from.y) / length) * by };
}

/** Path data of a row, `less` shorter at both ends: room for round caps. */
export function rowPath(route: RoutePicture, less = 0): string {
  const line = rowLine(route);
  if (line.length < 2) return '';
  if (less) {
    const end = line.length - 1;
    line[0] = beyond(line[1]!, line[0]!, -less);
    line[end] = beyond(line[end - 1]!, line[end]!, -less);
  }
  return `M${line.map((point) => `${tenth(point.x)} ${tenth(point.y)}`).join('L')}`;
}

export function middleOf(route: RoutePicture): Point {
  const spaces = route.spaces;
  const one = spaces[Math.floor((spaces.length - 1) / 2)];
  const two = spaces[Math.ceil((spaces.length - 1) / 2)];
  return one && two ? { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 } : { x: 0, y: 0 };
}

export type Thing = { readonly kind: 'route' | 'city'; readonly id: string };

/** A picture prepared for the question what lies under a finger. */
export class Ground {
  private readonly rows: readonly { id: string; line: readonly Point[]; half: number }[];

  constructor(private readonly picture: Picture) {
    this.rows = picture.routes.map((route) => ({
      id: route.id,
      line: rowLine(route),
      half: (route.spaces[0]?.height ?? 0) / 2,
    }));
  }

  /** The nearest city or route within `reach` (units) of its outline; names count for their city. */
  under(at: Point, reach: number, plates: ReadonlyMap<string, { x: number; y: number; w: number; h: number }>): Thing | null {
    let best: Thing | null = null;
    let least = reach;
    for (const city of this.picture.cities) {
      const dot = Math.hypot(at.x - city.x, at.y - city.y) - this.picture.city;
      const plate = plates.get(city.id);
      const off = Math.max(0, Math.min(dot, plate ? outside(at, plate) + 0.5 : Infinity));
      if (off < least) [best, least] = [{ kind: 'city', id: city.id }, off];
    }
    for (const row of this.rows) {
      const off = Math.max(0, toLine(at, row.line) - row.half);
      if (off < least) [best, least] = [{ kind: 'route', id: row.id }, off];
    }
    return best;
  }
}

function outside(at: Point, box: { x: number; y: number; w: number; h: number }): number {
  return Math.hypot(Math.max(box.x - at.x, at.x - box.x - box.w, 0), Math.max(box.y - at.y, at.y - box.y - box.h, 0));
}

function toLine(at: Point, line: readonly Point[]): number {
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

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The next place in the direction of an arrow key; null where there is none. */
export function nextBy(key: string, from: Point, places: readonly (Point & { readonly id: string })[]): string | null {
  const step = STEPS[key];
  if (!step) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const place of places) {
    const dx = place.x - from.x;
    const dy = place.y - from.y;
    const ahead = dx * step.x + dy * step.y;
    const aside = Math.abs(dx * step.y) + Math.abs(dy * step.x);
    if (ahead <= 0.5 || aside > 2.5 * ahead) continue;
    const price = ahead + 2 * aside;
    if (price < least) [best, least] = [place.id, price];
  }
  return best;
}

/** Places in the order of reading: rows from the north, each from the west. */
export function inReadingOrder<T extends Point>(places: readonly T[], row = 90): T[] {
  return [...places].sort((a, b) => Math.floor(a.y / row) - Math.floor(b.y / row) || a.x - b.x);
}

export function placesOf(picture: Picture): { routes: (Point & { id: string })[]; cities: readonly CityPicture[] } {
  return {
    routes: inReadingOrder(picture.routes.map((route) => ({ id: route.id, ...middleOf(route) }))),
    cities: inReadingOrder(picture.cities),
  };
}

function cos(angle: number): number {
  return Math.cos((angle * Math.PI) / 180);
}

function sin(angle: number): number {
  return Math.sin((angle * Math.PI) / 180);
}

function tenth(value: number): string {
  return String(Math.round(value * 10) / 10);
}
