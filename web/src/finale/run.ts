/** The run of a train over a continuous route: where it is at each moment, and which routes lie behind it. */
import { rowLine } from '../board/drawing/rows.ts';
import type { Picture } from '../board/picture.ts';
import type { Point } from '../board/zoom/view.ts';

export interface Run {
  /** The places that the train passes, with the distance from the start. */
  readonly points: readonly (Point & { readonly far: number })[];
  /** For each route the distance at which the train has left it behind. */
  readonly ends: readonly number[];
  readonly length: number;
}

/** Return the run over routes that a train passes in this order, by these cities. */
export function runOver(picture: Picture, trail: readonly string[], stops: readonly string[]): Run {
  const routes = new Map(picture.routes.map((route) => [route.id, route]));
  const cities = new Map(picture.cities.map((city) => [city.id, city]));
  const points: (Point & { far: number })[] = [];
  const ends: number[] = [];
  let far = 0;
  const pass = ({ x, y }: Point) => {
    const before = points.at(-1);
    if (before) far += Math.hypot(x - before.x, y - before.y);
    points.push({ x, y, far });
  };
  trail.forEach((id, at) => {
    const route = routes.get(id);
    if (!route) return;
    const line = rowLine(route);
    const from = cities.get(stops[at] ?? '');
    if (from && at === 0) pass(from);
    for (const point of route.a === stops[at] ? line : [...line].reverse()) pass(point);
    const to = cities.get(stops[at + 1] ?? '');
    if (to) pass(to);
    ends.push(far);
  });
  return { points, ends, length: far };
}

/** Return where the train is after a part of the run (0 to 1), in which direction it goes (degrees), and how many routes are behind it. */
export function trainAt(run: Run, part: number): { x: number; y: number; angle: number; behind: number } {
  const far = run.length * Math.max(0, Math.min(1, part));
  const next = Math.max(
    1,
    run.points.findIndex((point) => point.far >= far),
  );
  const [a, b] = [run.points[next - 1]!, run.points[next] ?? run.points[next - 1]!];
  const rest = b.far > a.far ? (far - a.far) / (b.far - a.far) : 0;
  return {
    x: a.x + (b.x - a.x) * rest,
    y: a.y + (b.y - a.y) * rest,
    angle: (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI,
    behind: run.ends.filter((end) => end <= far + 0.5).length,
  };
}
