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
  readonly routes: readonly RoutePicture[];
  readonly cities: readonly CityPicture[];
}
