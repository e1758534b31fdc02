/** Plates with the names of cities: every city has one at every size of the sheet. */

import { contentOf } from '../picture.ts';
import type { Box, CityPicture, Picture, Space } from '../picture.ts';

/** A plate: where it is, and what stands on it: the name, or a shorter form where there is no room for it. */
export interface Plate extends Box {
  readonly text: string;
  /** Where a line from the city ends, for a plate that does not stand beside it. */
  readonly leader?: readonly [number, number];
}

const GAP = 2;
const PADDING = 4; // on both sides of a name, as the layout has it
const LINE = 1.06; // the height of a plate, by the size of its letters
const CELL = 48; // of the grid in which spaces are looked up
const ROUNDS = 4;
const MOST = 4; // larger than this, letters would cover the map: the window is too small to be read
const DIRECTIONS = Array.from({ length: 12 }, (_, hour) => (hour * Math.PI) / 6);

/** What a place costs; what a careful draughtsman would do first is cheapest. */
const COST = { name: 400, dot: 26, space: 0.45, far: 7, forms: [0, 6, 9, 13] } as const;

/** Return how much larger than drawn letters of `size` units must be, to be `least` pixels high. */
export function enlargement(scale: number, size: number, least: number): number {
  const needed = Math.min(MOST, least / (size * scale));
  // In steps, so that names do not jump with every turn of the wheel.
  return needed <= 1 ? 1 : Math.ceil(needed * 8) / 8;
}

const made = new WeakMap<Picture, Map<number, ReadonlyMap<string, Plate>>>();

/** Return the plate of every city, with letters of `letter` units, `factor` times as large as the layout's own. */
export function plates(picture: Picture, factor: number, letter = 16): ReadonlyMap<string, Plate> {
  if (factor <= 1 && !picture.turned) {
    return new Map(picture.cities.map((city) => [city.id, { ...city.label, text: city.name }]));
  }
  let known = made.get(picture);
  if (!known) made.set(picture, (known = new Map()));
  let found = known.get(factor);
  if (!found) known.set(factor, (found = new Placing(picture, Math.max(1, factor), letter).all()));
  return found;
}

/** Return a shorter form of a name: initials of the first words, and the beginning of the last. */
export function shortened(name: string, letters: number): string {
  const words = name.split(/\s+/);
  const last = words.pop()!;
  const tail = last.length <= letters + 1 ? last : `${last.slice(0, letters)}.`;
  return words.map((word) => `${word[0]}.`).join('') + tail;
}

type Candidate = { readonly plate: Plate; readonly own: number };

/** Plates being placed: one after the other, the most crowded first, then each again now that the others stand. */
class Placing {
  readonly #picture: Picture;
  readonly #factor: number;
  readonly #letter: number;
  readonly #bounds: Box;
  readonly #spaces = new Map<string, [number, number][]>();
  readonly #placed = new Map<string, Plate>();

  constructor(picture: Picture, factor: number, letter: number) {
    this.#picture = picture;
    this.#factor = factor;
    this.#letter = letter;
    this.#bounds = contentOf(picture);
    for (const space of picture.routes.flatMap((route) => route.spaces)) {
      for (const [x, y] of beads(space)) {
        const key = `${Math.floor(x / CELL)} ${Math.floor(y / CELL)}`;
        const cell = this.#spaces.get(key);
        if (cell) cell.push([x, y]);
        else this.#spaces.set(key, [[x, y]]);
      }
    }
  }

  all(): ReadonlyMap<string, Plate> {
    const { cities } = this.#picture;
    const forms = this.#forms();
    const candidates = new Map(cities.map((city) => [city.id, this.#around(city, forms.get(city.id)!)]));
    const crowd = (city: CityPicture) =>
      cities.filter((other) => Math.hypot(other.x - city.x, other.y - city.y) < 95 * this.#factor).length;
    const order = [...cities].sort((a, b) => crowd(b) - crowd(a));
    for (let round = 0; round < ROUNDS; round++) {
      for (const city of order) {
        this.#placed.delete(city.id);
        let best: Plate | undefined;
        let least = Infinity;
        for (const { plate, own } of candidates.get(city.id)!) {
          if (own >= least) continue;
          const cost = own + this.#inTheWay(plate);
          if (cost < least) [best, least] = [plate, cost];
        }
        if (best) this.#placed.set(city.id, best);
      }
    }
    return this.#placed;
  }

  /** The forms of every name, longest first; only those that mean one city. */
  #forms(): Map<string, string[]> {
    const { cities } = this.#picture;
    const all = new Map(
      cities.map((city) => [
        city.id,
        [...new Set([city.name, ...[5, 4, 3].map((letters) => shortened(city.name, letters))])],
      ]),
    );
    const uses = new Map<string, number>();
    for (const form of [...all.values()].flat()) uses.set(form, (uses.get(form) ?? 0) + 1);
    return new Map(
      cities.map((city) => [city.id, all.get(city.id)!.filter((form, at) => at === 0 || uses.get(form) === 1)]),
    );
  }

  /** Where the plate of a city may stand, in each of its forms: all around it, or a little further at the end of a line. */
  #around(city: CityPicture, forms: readonly string[]): Candidate[] {
    const found: Candidate[] = [];
    const radius = this.#picture.city * Math.min(this.#factor, 1.5) + GAP;
    const tall = this.#letter * this.#factor * LINE;
    for (const [shorter, text] of forms.entries()) {
      const letters = Math.max(1, city.name.length);
      const wide = ((city.label.w - PADDING) / letters) * text.length * this.#factor + 2;
      for (const [ring, away] of [0, tall * 0.9].entries()) {
        for (const [turn, angle] of DIRECTIONS.entries()) {
          const [u, v] = [Math.cos(angle), Math.sin(angle)];
          const box = this.#kept({
            x: city.x + u * (radius + away) + (Math.abs(u) < 0.1 ? -0.5 : u > 0 ? 0 : -1) * wide,
            y: city.y + v * (radius + away) + (Math.abs(v) < 0.1 ? -0.5 : v > 0 ? 0 : -1) * tall,
            w: wide,
            h: tall,
          });
          const covers = holds(box, city.x, city.y, this.#picture.city * 0.7) ? COST.dot * 2 : 0;
          const own = COST.forms[shorter]! + ring * COST.far + (turn % 3 ? 0.6 : turn * 0.05) + covers;
          const end = [
            Math.min(Math.max(city.x, box.x), box.x + box.w),
            Math.min(Math.max(city.y, box.y), box.y + box.h),
          ] as const;
          found.push({ plate: ring ? { ...box, text, leader: end } : { ...box, text }, own });
        }
      }
    }
    return found.sort((a, b) => a.own - b.own);
  }

  #kept(box: Box): Box {
    const { x, y, w, h } = this.#bounds;
    return { ...box, x: Math.max(x, Math.min(x + w - box.w, box.x)), y: Math.max(y, Math.min(y + h - box.h, box.y)) };
  }

  #inTheWay(plate: Plate): number {
    let cost = 0;
    for (const other of this.#placed.values()) if (overlap(plate, other, 0.5)) cost += COST.name;
    for (const city of this.#picture.cities)
      if (holds(plate, city.x, city.y, this.#picture.city * 0.5)) cost += COST.dot;
    for (let i = Math.floor(plate.x / CELL); i <= Math.floor((plate.x + plate.w) / CELL); i++) {
      for (let j = Math.floor(plate.y / CELL); j <= Math.floor((plate.y + plate.h) / CELL); j++) {
        for (const [x, y] of this.#spaces.get(`${i} ${j}`) ?? []) if (holds(plate, x, y, 1)) cost += COST.space;
      }
    }
    return cost;
  }
}

function beads(space: Space): [number, number][] {
  const reach = (space.width - space.height) / 2;
  const dx = Math.cos((space.angle * Math.PI) / 180) * reach;
  const dy = Math.sin((space.angle * Math.PI) / 180) * reach;
  return [
    [space.x - dx, space.y - dy],
    [space.x, space.y],
    [space.x + dx, space.y + dy],
  ];
}

function holds(box: Box, x: number, y: number, margin: number): boolean {
  return x > box.x - margin && x < box.x + box.w + margin && y > box.y - margin && y < box.y + box.h + margin;
}

function overlap(a: Box, b: Box, margin: number): boolean {
  return a.x < b.x + b.w + margin && b.x < a.x + a.w + margin && a.y < b.y + b.h + margin && b.y < a.y + a.h + margin;
}
