/** The geometry of a row: the spaces of a route, from city to city. */

import type { RoutePicture } from '../picture.ts';
import type { Point } from '../zoom/view.ts';

/** Return the line through the middle of a row of spaces, from its first edge to its last. */
export function rowLine(route: RoutePicture): Point[] {
  const middles = route.spaces.map(({ x, y }) => ({ x, y }));
  const first = route.spaces[0];
  const last = route.spaces.at(-1);
  if (!first || !last) return [];
  const towards = middles.length > 1 ? middles[1]! : { x: first.x + cos(first.angle), y: first.y + sin(first.angle) };
  const from = middles.length > 1 ? middles.at(-2)! : { x: last.x - cos(last.angle), y: last.y - sin(last.angle) };
  return [beyond(towards, middles[0]!, first.width / 2), ...middles, beyond(from, middles.at(-1)!, last.width / 2)];
}

/** Return the point `by` beyond `to`, seen from `from`. */
function beyond(from: Point, to: Point, by: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: to.x + ((to.x - from.x) / length) * by, y: to.y + ((to.y - from.y) / length) * by };
}

/** Return the path data of a row, `less` shorter at both ends: room for round caps. */
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

/** Return the path data from one city over a row to another, whichever of its ends a row begins at. */
export function pathThrough(route: RoutePicture, from: Point, to: Point): string {
  const line = rowLine(route);
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last) return '';
  const away = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
  if (away(from, last) + away(first, to) < away(from, first) + away(last, to)) line.reverse();
  return `M${[from, ...line, to].map(({ x, y }) => `${tenth(x)} ${tenth(y)}`).join('L')}`;
}

/** Return the middle of a row. */
export function middleOf(route: RoutePicture): Point {
  const spaces = route.spaces;
  const one = spaces[Math.floor((spaces.length - 1) / 2)];
  const two = spaces[Math.ceil((spaces.length - 1) / 2)];
  return one && two ? { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 } : { x: 0, y: 0 };
}

/** Return where one mark for a whole row stands: in its middle, or towards one end for each `half` of a double, -1 or 1. */
export function markPlace(route: RoutePicture, half: number, reach: number): Point {
  const line = rowLine(route);
  const [from, to] = [line[0], line.at(-1)];
  if (half === 0 || !from || !to) return middleOf(route);
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const part = 0.5 + half * Math.min(0.3, Math.max(0.17, reach / length));
  const at = part * (line.length - 1);
  const [before, after] = [line[Math.floor(at)]!, line[Math.ceil(at)]!];
  const rest = at - Math.floor(at);
  return { x: tenths(before.x + (after.x - before.x) * rest), y: tenths(before.y + (after.y - before.y) * rest) };
}

/** Return which half of a double every route is: -1 and 1; those that are alone are left out. */
export function halves(routes: readonly RoutePicture[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const first = new Map<string, string>();
  for (const route of routes) {
    const other = first.get(route.line);
    if (other === undefined) first.set(route.line, route.id);
    else found.set(other, -1).set(route.id, 1);
  }
  return found;
}

/** The routes of one player. */
export interface Claims {
  readonly seat: number;
  readonly routes: readonly RoutePicture[];
}

/**
 * Return the routes of every player, by seat; those who have none are left out from seat number `seats` on. Where a player's
 * routes are those of `before`, so is the object: what is drawn of them need not be looked at.
 */
export function claimsOf(
  routes: readonly RoutePicture[],
  owners: Readonly<Record<string, number>>,
  seats = 0,
  before: readonly Claims[] = [],
): Claims[] {
  const found = new Map<number, RoutePicture[]>(Array.from({ length: seats }, (_, seat) => [seat, []]));
  for (const route of routes) {
    const owner = owners[route.id];
    if (owner === undefined) continue;
    const theirs = found.get(owner);
    if (theirs) theirs.push(route);
    else found.set(owner, [route]);
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([seat, theirs]) => {
      const known = before.find((one) => one.seat === seat);
      const same = known?.routes.length === theirs.length && known.routes.every((route, at) => route === theirs[at]);
      return same ? known : { seat, routes: theirs };
    });
}

function cos(angle: number): number {
  return Math.cos((angle * Math.PI) / 180);
}

function sin(angle: number): number {
  return Math.sin((angle * Math.PI) / 180);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function tenth(value: number): string {
  return String(tenths(value));
}
