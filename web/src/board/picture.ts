/** The picture of a board as `ferrovia.drawing.picture` makes it; lengths are in its units. */

export interface Space {
  readonly x: number;
  readonly y: number;
  /** Degrees, clockwise, within ±90. */
  readonly angle: number;
  readonly width: number;
  readonly height: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface RoutePicture {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly length: number;
  readonly color: string;
  readonly tunnel: boolean;
  /** The spaces that show a locomotive, by index. */
  readonly ferry: readonly number[];
  /** Path data of the line from city to city. */
  readonly line: string;
  readonly spaces: readonly Space[];
}

export interface CityPicture {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly big: boolean;
  readonly label: Box & { readonly leader?: readonly [number, number] };
}

export interface Picture {
  readonly version: number;
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly map: Box;
  /** The radius of a city's dot. */
  readonly city: number;
  /** The size of letters that the plates are made for. */
  readonly letter: number;
  readonly land: string;
  readonly lakes: string;
  readonly graticule: string;
  /** The ridges of mountains; single ones: where each stands, and how large it is; and the names of seas. */
  readonly ranges: string;
  readonly peaks: readonly (readonly [number, number, number])[];
  readonly waters: readonly { readonly name: string; readonly x: number; readonly y: number }[];
  readonly routes: readonly RoutePicture[];
  readonly cities: readonly CityPicture[];
  /** Of a picture that was turned by a quarter: its height before. Path data is as it was. */
  readonly turned?: number;
}

const MARGIN = 3;

/** Return the part of the sheet that has to be seen: all cities, spaces and names. */
export function contentOf(picture: Picture): Box {
  const boxes: Box[] = [
    ...picture.cities.map(({ x, y }) => around(x, y, 1.6 * picture.city)),
    ...picture.routes.flatMap((route) => route.spaces.map(boxOf)),
    ...(picture.turned ? [] : picture.cities.map((city) => city.label)),
  ];
  return aroundAll(boxes, MARGIN);
}

const BESIDE = 40; // units: what lies next to a cut is seen too

/** Return a cut of the sheet: the part with some routes and cities, their names and a little around them. */
export function cutOf(picture: Picture, routes: ReadonlySet<string>, cities: readonly string[] = []): Box {
  const wanted = picture.routes.filter((route) => routes.has(route.id));
  const ends = new Set([...cities, ...wanted.flatMap(({ a, b }) => [a, b])]);
  const boxes = picture.cities
    .filter((city) => ends.has(city.id))
    .flatMap((city) => [around(city.x, city.y, 1.6 * picture.city), ...(picture.turned ? [] : [city.label])]);
  return boxes.length
    ? aroundAll([...boxes, ...wanted.flatMap((route) => route.spaces.map(boxOf))], BESIDE)
    : contentOf(picture);
}

function aroundAll(boxes: readonly Box[], margin: number): Box {
  const left = Math.min(...boxes.map((box) => box.x)) - margin;
  const top = Math.min(...boxes.map((box) => box.y)) - margin;
  const right = Math.max(...boxes.map((box) => box.x + box.w)) + margin;
  const bottom = Math.max(...boxes.map((box) => box.y + box.h)) + margin;
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** Return the box around a space, as it is turned. */
function boxOf({ x, y, angle, width, height }: Space): Box {
  const [u, v] = [Math.abs(Math.cos((angle * Math.PI) / 180)), Math.abs(Math.sin((angle * Math.PI) / 180))];
  const [w, h] = [u * width + v * height, v * width + u * height];
  return { x: x - w / 2, y: y - h / 2, w, h };
}

function around(x: number, y: number, reach: number): Box {
  return { x: x - reach, y: y - reach, w: 2 * reach, h: 2 * reach };
}
