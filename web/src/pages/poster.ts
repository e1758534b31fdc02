/** What a poster shows of a board: its spaces by colour, the names of some cities, and a way across it for a train. */
import { placed } from '../board/drawing/placed.ts';
import type { CityPicture, Picture } from '../board/picture.ts';
import { distancesFrom, shortestPath } from '../lib/paths.ts';

const SPACE = 'M-0.5-0.5H0.5V0.5H-0.5Z';
const NAMED = 14; // cities

/** Return one path for all spaces of a colour. */
export function spacesByColor(picture: Picture): { readonly color: string; readonly d: string }[] {
  const paths = new Map<string, string>();
  for (const { color, spaces } of picture.routes) {
    const rows = spaces.map(({ x, y, angle, width, height }) =>
      placed(SPACE, { x, y, angle, along: width - 1.6, across: height - 1.6 }),
    );
    paths.set(color, (paths.get(color) ?? '') + rows.join(''));
  }
  return [...paths].map(([color, d]) => ({ color, d }));
}

/** Return the cities that most routes meet in, which everybody knows. */
export function citiesToName({ cities, routes }: Picture): CityPicture[] {
  const meeting = (id: string) => routes.filter(({ a, b }) => a === id || b === id).length;
  return [...cities].sort((one, other) => meeting(other.id) - meeting(one.id)).slice(0, NAMED);
}

/** Return the shortest way between the two ends of the map that lie farthest apart, as one line. */
export function longWay({ cities, routes }: Picture): { readonly d: string; readonly length: number } {
  const farthest = (from: string) => [...distancesFrom(from, routes)].sort((one, other) => other[1] - one[1])[0]?.[0];
  const start = cities.length ? farthest(cities[0]!.id) : undefined;
  const end = start === undefined ? undefined : farthest(start);
  if (start === undefined || end === undefined) return { d: '', length: 0 };
  let at = start;
  let d = '';
  let length = 0;
  for (const id of shortestPath(start, end, routes)) {
    const route = routes.find((one) => one.id === id)!;
    const line = points(route.line);
    if (route.a !== at) line.reverse();
    at = route.a === at ? route.b : route.a;
    line.forEach(([x, y], number) => {
      if (number) length += Math.hypot(x - line[number - 1]![0], y - line[number - 1]![1]);
      d += `${d ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    });
  }
  return { d, length };
}

const STEP = 8; // units

/** Points along a line, near enough to each other to look like it. */
function points(line: string): [number, number][] {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', line);
  const all = path.getTotalLength();
  const count = Math.max(1, Math.round(all / STEP));
  return Array.from({ length: count + 1 }, (_, number) => {
    const { x, y } = path.getPointAtLength((all * number) / count);
    return [x, y];
  });
}
