/** The sheet on which a board is edited: degrees as places, spaces of routes, and what fits in millimetres. */
import { MAX_BEND, SIDES, type BoardDocument, type CityEntry, type RouteEntry } from './board_document.ts';

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

/** The longer side of a sheet in its own units. */
export const WIDTH = 1_100;
/** The sides of printed boards in millimetres, by the longer one; they lie or stand. */
export const PRINTED: Readonly<Record<number, number>> = { 790: 525, 972: 648 };
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
  /** Units of the sheet for a millimetre on paper. */
  readonly millimetre: number;

  /** `box`: south, west, north, east; `side`: the longer one of the printed board. */
  constructor([south, west, north, east]: readonly [number, number, number, number], side = 790) {
    this.millimetre = WIDTH / side;
    this.#shrink = Math.cos(((south + north) / 2) * (Math.PI / 180));
    this.#west = west;
    this.#north = north;
    const [wide, high] = [Math.max(1e-6, (east - west) * this.#shrink), Math.max(1e-6, north - south)];
    const [most, least] = [WIDTH, this.millimetre * (PRINTED[side] ?? side)];
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

/** Return a box that also has what lies outside of it. */
export function around(box: readonly [number, number, number, number], document: BoardDocument): typeof box {
  const [south, west, north, east] = box;
  const inside = document.cities.every(({ lat, lon }) => south < lat && lat < north && west < lon && lon < east);
  return inside ? box : boxOf(document);
}

/** Return the spaces of every route, side by side where two join the same cities, and how many millimetres each lacks. */
export function drawn(
  cities: ReadonlyMap<string, CityEntry>,
  routes: readonly RouteEntry[],
  sheet: Sheet,
): Map<string, { spaces: DrawnSpace[]; middle: Place; lacks: number }> {
  const { millimetre } = sheet;
  const found = new Map<string, { spaces: DrawnSpace[]; middle: Place; lacks: number }>();
  const count = new Map<string, number>();
  const key = ({ a, b }: RouteEntry) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const all = new Map<string, number>();
  const bends = new Map<string, number>();
  for (const route of routes) {
    all.set(key(route), (all.get(key(route)) ?? 0) + 1);
    // A double bends as one; seen from the city whose id comes first.
    if (route.bend !== undefined && !bends.has(key(route)))
      bends.set(key(route), (route.a < route.b ? route.bend : -route.bend) / 100);
  }
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
    const bend = (bends.get(key(route)) ?? 0) * turn;
    const line = curve(a, b, bend);
    const total = bend ? line.at(-1)!.reach : distance;
    const room = Math.max(4, total - 2 * AT_CITY * millimetre);
    const step = room / Math.max(1, route.length);
    const long = Math.max(3, Math.min(SPACE * millimetre, step - GAP * millimetre));
    const spaces = Array.from({ length: Math.min(20, route.length) }, (_, at) => {
      const { x, y, angle } = along(line, (total - room) / 2 + step * (at + 0.5));
      return {
        x: x - Math.sin(angle) * offset,
        y: y + Math.cos(angle) * offset,
        angle: (angle * 180) / Math.PI,
        long,
      };
    });
    const needed = route.length * (SPACE + GAP) - GAP + 2 * AT_CITY;
    found.set(route.id, {
      spaces,
      middle: { x: (a.x + b.x) / 2 + dy * bend, y: (a.y + b.y) / 2 - dx * bend },
      lacks: Math.max(0, Math.ceil(needed - total / millimetre)),
    });
  }
  return found;
}

interface Bead extends Place {
  readonly reach: number;
}

/** Return the line between two places, bowed to the left by a part of its length. */
function curve(a: Place, b: Place, bend: number): Bead[] {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const samples = bend ? 24 : 1;
  const line: Bead[] = [];
  for (let at = 0; at <= samples; at += 1) {
    const t = at / samples;
    const bow = 4 * t * (1 - t) * bend;
    const [x, y] = [a.x + dx * t + dy * bow, a.y + dy * t - dx * bow];
    const last = line.at(-1);
    line.push({ x, y, reach: last ? last.reach + Math.hypot(x - last.x, y - last.y) : 0 });
  }
  return line;
}

/** Return the place and the direction on a line, so far from its start. */
function along(line: readonly Bead[], far: number): Place & { angle: number } {
  let piece = 1;
  while (piece < line.length - 1 && line[piece]!.reach < far) piece += 1;
  const [from, to] = [line[piece - 1]!, line[piece]!];
  const part = (far - from.reach) / (to.reach - from.reach || 1);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return { x: from.x + dx * part, y: from.y + dy * part, angle: Math.atan2(dy, dx) };
}

/** Return by how many hundredths a line bows that leads past a place in its middle. */
export function bendAt(a: Place, b: Place, through: Place): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const aside = (through.x - (a.x + b.x) / 2) * dy - (through.y - (a.y + b.y) / 2) * dx;
  const bend = Math.round((100 * aside) / (dx * dx + dy * dy || 1));
  return Math.abs(bend) < 3 ? 0 : Math.max(-MAX_BEND, Math.min(MAX_BEND, bend));
}

/** Return the side of a city on which a place lies. */
export function sideAt(city: Place, place: Place): string {
  const eighth = Math.round((Math.atan2(place.y - city.y, place.x - city.x) * 4) / Math.PI);
  return SIDES[(eighth + 8) % 8]!;
}

/** Return where a name stands beside a city: its middle, in letters and half widths of the name. */
export function besideCity(side: string | undefined): Place {
  const at = SIDES.indexOf((side || 'n') as (typeof SIDES)[number]);
  const angle = (at * Math.PI) / 4;
  return { x: Math.round(Math.cos(angle)), y: Math.round(Math.sin(angle)) };
}

export const CITY_RADIUS = CITY;
