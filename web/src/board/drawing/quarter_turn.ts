/** A picture turned by a quarter, for windows that are higher than wide. */

import type { Picture, Space } from '../picture.ts';

/** Return the picture turned clockwise, west up. Names stay upright and are placed anew (`plates`). */
export function turned(picture: Picture): Picture {
  const { height } = picture;
  const at = <T extends { x: number; y: number }>(place: T): T => ({
    ...place,
    x: tenth(height - place.y),
    y: place.x,
  });
  const { map } = picture;
  return {
    ...picture,
    width: picture.height,
    height: picture.width,
    map: { x: tenth(height - map.y - map.h), y: map.x, w: map.h, h: map.w },
    turned: height,
    peaks: picture.peaks.map(([x, y, size]) => [tenth(height - y), x, size] as const),
    waters: picture.waters.map(at),
    routes: picture.routes.map((route) => ({
      ...route,
      spaces: route.spaces.map((space): Space => ({
        ...at(space),
        angle: space.angle > 0 ? space.angle - 90 : space.angle + 90,
      })),
    })),
    cities: picture.cities.map(({ label, ...city }) => {
      const place = at(city);
      return { ...place, label: { x: place.x + 10, y: place.y - label.h / 2, w: label.w, h: label.h } };
    }),
  };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
