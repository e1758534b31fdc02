/** The sheet on which a board is edited: degrees as places, spaces of routes, and what fits in millimetres. */
import type { BoardDocument, CityEntry, RouteEntry } from './board_document.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}
export interface DrawnSpace extends Place {
  readonly angle: number;
  readonly long: number;
}

/** The longer side of a sheet in its own units, and both sides of a printed one in millimetres; it lies or stands. */
export const WIDTH = 1_100;
const PRINTED = 790;
const PRINTED_HIGH = 525;
const SPACE = 20; // mm, and 9 across
const GAP = 1;
const AT_CITY = 7; // mm from the middle of a city to the first space
const CITY = 9;

/** Where degrees lie on the sheet, and back. */
export class Sheet {
  readonly frame: Frame;
  readonly #shrink: number;
  readonly #west: number;
  readonly #north: number;
  readonly #scale: number;

  /** `box`: south, west, north, east. */
  constructor([south, west, north, east]: readonly [number, number, number, number]) {
    this.#shrink = Math.cos(((south + north) / 2) * (Math.PI / 180));
    this.#west = west;
    this.#north = north;
    const [wide, high] = [Math.max(1e-6, (east - west) * this.#shrink), Math.max(1e-6, north - south)];
    const [most, least] = [WIDTH, (WIDTH * PRINTED_HIGH) / PRINTED];
    this.#scale = wide >= high ? Math.min(most / wide, least / high) : Math.min(least / wide, most / high);
    this.frame = { x: 0, y: 0, w: wide * this.#scale, h: high * this.#scale };
  }

  place = (lat: number, lon: number): Place => ({
    x: (lon - this.#west) * this.#shrink * this.#scale,
    y: (this.#north - lat) * this.#scale,
  });

  degrees({ x, y }: Place): { lat: number; lon: number } {
    const round = (value: number) => Math.round(value * 1e4) / 1e4;
    return { lat: round(this.#north - y / this.#scale), lon: round(x / this.#scale / this.#shrink + this.#west) };
  }

  /** Return closed lines of longitudes and latitudes as path data. */
  path(lines: readonly (readonly number[])[]): string {
    return lines
      .map((line) => {
        let data = '';
        for (let at = 0; at < line.length; at += 2) {
          const { x, y } = this.place(line[at + 1]!, line[at]!);
          data += `${at ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
        }
        return `${data}Z`;
      })
      .join('');
  }
}

/** Return the box around all cities with a margin; without cities a blank one in the open sea. */
export function boxOf(document: BoardDocument): readonly [number, number, number, number] {
  if (!document.cities.length) return [-51, -134, -41, -118];
  const lats = document.cities.map(({ lat }) => lat);
  const lons = document.cities.map(({ lon }) => lon);
  const [south, north, west, east] = [Math.min(...lats), Math.max(...lats), Math.min(...lons), Math.max(...lons)];
  const margin = Math.max(0.4, 0.09 * Math.max(north - south, east - west));
  return [Math.max(-89, south - margin), west - 1.3 * margin, Math.min(89, north + margin), east + 1.3 * margin];
}

/** Return the spaces of every route, side by side where two join the same cities, and how many millimetres each lacks. */
export function drawn(
  cities: ReadonlyMap<string, CityEntry>,
  routes: readonly RouteEntry[],
  sheet: Sheet,
): Map<string, { spaces: DrawnSpace[]; middle: Place; lacks: number }> {
  const millimetre = WIDTH / PRINTED;
  const found = new Map<string, { spaces: DrawnSpace[]; middle: Place; lacks: number }>();
  const count = new Map<string, number>();
  const key = ({ a, b }: RouteEntry) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const all = new Map<string, number>();
  for (const route of routes) all.set(key(route), (all.get(key(route)) ?? 0) + 1);
  for (const route of routes) {
    const [from, to] = [cities.get(route.a), cities.get(route.b)];
    if (!from || !to) continue;
    const [a, b] = [sheet.place(from.lat, from.lon), sheet.place(to.lat, to.lon)];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const distance = Math.hypot(dx, dy) || 1;
    const number = count.get(key(route)) ?? 0;
    count.set(key(route), number + 1);
    const turn = route.a < route.b ? 1 : -1;
    const offset = (number - ((all.get(key(route)) ?? 1) - 1) / 2) * 12 * millimetre * turn;
    const [ox, oy] = [(-dy / distance) * offset, (dx / distance) * offset];
    const room = Math.max(4, distance - 2 * AT_CITY * millimetre);
    const step = room / Math.max(1, route.length);
    const long = Math.max(3, Math.min(SPACE * millimetre, step - GAP * millimetre));
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
    const spaces = Array.from({ length: Math.min(20, route.length) }, (_, at) => {
      const along = (distance - room) / 2 + step * (at + 0.5);
      return { x: a.x + (dx / distance) * along + ox, y: a.y + (dy / distance) * along + oy, angle, long };
    });
    const needed = route.length * (SPACE + GAP) - GAP + 2 * AT_CITY;
    found.set(route.id, {
      spaces,
      middle: { x: (a.x + b.x) / 2 + ox, y: (a.y + b.y) / 2 + oy },
      lacks: Math.max(0, Math.ceil(needed - distance / millimetre)),
    });
  }
  return found;
}

export const CITY_RADIUS = CITY;
