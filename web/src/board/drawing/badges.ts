/** Badges of the tickets that end at a city: where they stand beside it. */

import type { Box } from '../picture.ts';

const HALF = { wide: 5, tall: 5.6 }; // of a badge, in its own units
const WIDE = 9.4; // from one badge to the next
const FARTHER = [1, 1.5, 2]; // times the distance at which a badge touches the ring
const FAR = 0.12; // of a badge: so much of a name is covered before it stands farther away

/** Where the first badge stands, and whether the others follow it to the right or to the left. */
export interface BadgePlace {
  readonly x: number;
  readonly y: number;
  readonly direction: 1 | -1;
}

/** How many badges there are, how far the ring keeps them from the city, and how many times as large as drawn they are. */
export interface Badges {
  readonly count: number;
  readonly off: number;
  readonly pin: number;
}

const SIDES = [
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
  [1.35, 0],
  [-1.35, 0],
  [0.01, -1.35],
  [0.01, 1.35],
] as const;

/** Return the box of badges at a place. */
export function badgeBox({ x, y, direction }: BadgePlace, { count, pin }: Badges): Box {
  const wide = (HALF.wide + (count - 1) * WIDE) * pin;
  const [left, right] = direction > 0 ? [HALF.wide * pin, wide] : [wide, HALF.wide * pin];
  return { x: x - left, y: y - HALF.tall * pin, w: left + right, h: 2 * HALF.tall * pin };
}

/** Return the shift of a badge from the first, in its own units. */
export const badgeShift = (at: number, direction: 1 | -1) => at * WIDE * direction;

function common(one: Box, two: Box): number {
  const across = Math.min(one.x + one.w, two.x + two.w) - Math.max(one.x, two.x);
  const down = Math.min(one.y + one.h, two.y + two.h) - Math.max(one.y, two.y);
  return across > 0 && down > 0 ? across * down : 0;
}

/** Return the place beside a city where badges cover least of any name and stay on the sheet; the nearest of those. */
export function badgePlace(
  city: { readonly x: number; readonly y: number },
  badges: Badges,
  names: Iterable<Box>,
  sheet: Box,
): BadgePlace {
  const all = [...names];
  let best: BadgePlace | undefined;
  let least = Infinity;
  for (const times of FARTHER) {
    for (const [u, v] of SIDES) {
      const place = {
        x: city.x + u * times * badges.off,
        y: city.y + v * times * badges.off,
        direction: u > 0 ? 1 : -1,
      } as const;
      const box = badgeBox(place, badges);
      const whole = box.w * box.h;
      let cost = (times - 1) * FAR * whole + whole - common(box, sheet);
      for (const name of all) cost += common(box, name);
      if (cost < least - 1e-6) [best, least] = [place, cost];
    }
  }
  return best!;
}
