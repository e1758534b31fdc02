/** Plates with the names of cities: which are shown, and where, when letters are larger than the sheet has room for. */

import type { Box, CityPicture, Picture, Space } from '../picture.ts';

const GAP = 3;
const PIECE = 12; // the radius of a station or a mark
const CROWDED = 1.35; // up to this enlargement a name may lie a little over a space

/** Return how much larger than drawn letters of `size` units must be, to be `least` pixels high. */
export function enlargement(scale: number, size: number, least: number): number {
  const needed = least / (size * scale);
  // In steps, so that names do not jump with every turn of the wheel.
  return needed <= 1 ? 1 : Math.ceil(needed * 8) / 8;
}

/**
 * Return a plate for as many cities as fit, `by` times as large as the layout's own.
 *
 * Cities in `wanted` come first and are always shown; then the big ones; others only where their
 * plate covers no other plate and no space. Not enlarged, all stand where the layout put them.
 * At the cities in `pieces` stand stations and marks, `larger` times as large as drawn. No
 * plate covers what is `taken`.
 */
export function plates(
  picture: Picture,
  by: number,
  wanted: ReadonlySet<string>,
  pieces: ReadonlySet<string> = new Set(),
  larger = 1,
  taken: readonly Box[] = [],
): Map<string, Box> {
  if (by <= 1) return new Map(picture.cities.map((city) => [city.id, city.label]));
  const spaces = picture.routes.flatMap((route) => route.spaces.flatMap(beads));
  const radius = (city: CityPicture): number =>
    pieces.has(city.id) ? PIECE * larger : picture.city * Math.min(larger, 1.5);
  const shown = new Map<string, Box>();
  for (const city of [...picture.cities].sort((a, b) => rank(a, wanted) - rank(b, wanted))) {
    let best: Box | null = null;
    let least = wanted.has(city.id) ? Infinity : by <= CROWDED ? 4 : 1;
    for (const [turn, box] of around(city, picture, by, radius(city)).entries()) {
      let price = turn / 100;
      for (const other of [...taken, ...shown.values()]) if (overlap(box, other, 1)) price += wanted.has(city.id) ? 50 : Infinity;
      if (price >= least) continue;
      for (const other of picture.cities) {
        if (holds(box, other.x, other.y, radius(other) * 0.8)) price += by <= CROWDED ? 2 : 8;
      }
      for (const [x, y, r] of spaces) if (holds(box, x, y, by <= CROWDED ? 0 : r)) price += 1;
      if (price < least) [best, least] = [box, price];
    }
    if (best) shown.set(city.id, best);
  }
  return shown;
}

function rank(city: CityPicture, wanted: ReadonlySet<string>): number {
  return wanted.has(city.id) ? 0 : city.big ? 1 : 2;
}

/** Where a larger plate may stand: grown away from its city, then on the eight sides of it. */
function around(city: CityPicture, picture: Picture, by: number, radius: number): Box[] {
  const { x, y, w, h } = city.label;
  const [wide, tall] = [w * by, h * by];
  const nearX = Math.min(Math.max(city.x, x), x + w);
  const nearY = Math.min(Math.max(city.y, y), y + h);
  const away = Math.hypot(nearX - city.x, nearY - city.y) || 1;
  const push = Math.max(0, radius + 1 - away) / away;
  const boxes = [{
    x: nearX + (x - nearX) * by + (nearX - city.x) * push,
    y: nearY + (y - nearY) * by + (nearY - city.y) * push,
    w: wide,
    h: tall,
  }];
  const off = radius + GAP;
  for (const [u, v] of [[1, 0], [-1, 0], [0, -1], [0, 1], [0.7, -0.7], [0.7, 0.7], [-0.7, -0.7], [-0.7, 0.7]] as const) {
    boxes.push({
      x: city.x + u * off + ((u > 0.8 ? 0 : u < -0.8 ? -1 : u > 0 ? -0.08 : u < 0 ? -0.92 : -0.5) * wide),
      y: city.y + v * off + ((v > 0 ? 0 : v < 0 ? -1 : -0.5) * tall),
      w: wide,
      h: tall,
    });
  }
  const { map } = picture;
  return boxes.map((box) => ({
    ...box,
    x: Math.max(map.x + 2, Math.min(map.x + map.w - 2 - box.w, box.x)),
    y: Math.max(map.y + 2, Math.min(map.y + map.h - 2 - box.h, box.y)),
  }));
}

function beads(space: Space): [number, number, number][] {
  const reach = (space.width - space.height) / 2;
  const dx = Math.cos((space.angle * Math.PI) / 180) * reach;
  const dy = Math.sin((space.angle * Math.PI) / 180) * reach;
  const r = space.height * 0.4;
  return [[space.x - dx, space.y - dy, r], [space.x, space.y, r], [space.x + dx, space.y + dy, r]];
}

function holds(box: Box, x: number, y: number, margin: number): boolean {
  return x > box.x - margin && x < box.x + box.w + margin && y > box.y - margin && y < box.y + box.h + margin;
}

function overlap(a: Box, b: Box, margin: number): boolean {
  return a.x < b.x + b.w + margin && b.x < a.x + a.w + margin && a.y < b.y + b.h + margin && b.y < a.y + a.h + margin;
}
