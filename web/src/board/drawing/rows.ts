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

/** Return the middle of a row. */
export function middleOf(route: RoutePicture): Point {
  const spaces = route.spaces;
  const one = spaces[Math.floor((spaces.length - 1) / 2)];
  const two = spaces[Math.ceil((spaces.length - 1) / 2)];
  return one && two ? { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 } : { x: 0, y: 0 };
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
