/** Navigation by keyboard: from one route or city to the next. */

import { middleOf } from '../drawing/rows.ts';
import type { CityPicture, Picture } from '../picture.ts';
import type { Point } from '../zoom/view.ts';

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Return the next place in the direction of an arrow key, or null. */
export function neighbour(
  key: string,
  from: Point,
  places: readonly (Point & { readonly id: string })[],
): string | null {
  const step = STEPS[key];
  if (!step) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const place of places) {
    const dx = place.x - from.x;
    const dy = place.y - from.y;
    const ahead = dx * step.x + dy * step.y;
    const sideways = Math.abs(dx * step.y) + Math.abs(dy * step.x);
    if (ahead <= 0.5 || sideways > 2.5 * ahead) continue;
    const price = ahead + 2 * sideways;
    if (price < least) [best, least] = [place.id, price];
  }
  return best;
}

/** Return places in reading order: bands from the north, each from the west. */
function inReadingOrder<T extends Point>(places: readonly T[], band = 90): T[] {
  return [...places].sort((a, b) => Math.floor(a.y / band) - Math.floor(b.y / band) || a.x - b.x);
}

/** Return the places of a board in reading order, for Home, End and the arrow keys. */
export function placesOf(picture: Picture): { routes: (Point & { id: string })[]; cities: readonly CityPicture[] } {
  return {
    routes: inReadingOrder(picture.routes.map((route) => ({ id: route.id, ...middleOf(route) }))),
    cities: inReadingOrder(picture.cities),
  };
}
