/** What a film is made of over time, as numbers: points, cards, trains and tickets of every seat by turn. */
import type { Frame } from '../../protocol.gen.ts';
import { pointsOf, type Reel } from '../reel.ts';

export const MEASURES = ['score', 'points', 'trains', 'cards', 'tickets'] as const;
export type Measure = (typeof MEASURES)[number];

const OF: Record<Measure, (frame: Frame, seat: number) => number> = {
  score: pointsOf,
  points: (frame, seat) => frame.public.seats[seat]!.points,
  trains: (frame, seat) => frame.public.seats[seat]!.trains,
  cards: (frame, seat) => frame.public.seats[seat]!.cards,
  tickets: (frame, seat) => frame.public.seats[seat]!.tickets ?? 0,
};

export interface Curve {
  readonly seat: number;
  readonly values: readonly number[];
}

/** Return the curve of every seat, with one value for each frame. */
export function curvesOf(reel: Reel, measure: Measure): Curve[] {
  return reel.film.players.map((_, seat) => ({ seat, values: reel.frames.map((frame) => OF[measure](frame, seat)) }));
}

/** Return the least and the greatest value of some curves, with 0 between them. */
export function rangeOf(curves: readonly Curve[]): [number, number] {
  const all = curves.flatMap((curve) => curve.values);
  return [Math.min(0, ...all), Math.max(1, ...all)];
}

/** Return round numbers for the lines of a scale. */
export function scaleOf([least, most]: readonly [number, number]): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((one) => (most - least) / one <= 5) ?? 500;
  const lines: number[] = [];
  for (let line = Math.ceil(least / step) * step; line <= most; line += step) lines.push(line || 0); // never −0
  return lines;
}

/** The routes in the order in which they fell. */
export function fallsOf(reel: Reel): {
  readonly frame: number;
  readonly turn: number;
  readonly seat: number;
  readonly route: string;
  readonly points: number;
}[] {
  return reel.film.steps.flatMap((step, at) =>
    step.events.flatMap((event) =>
      event.event === 'claim'
        ? [{ frame: at + 1, turn: step.turn, seat: event.player, route: event.route, points: event.points }]
        : [],
    ),
  );
}
