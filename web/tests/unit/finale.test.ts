import { describe, expect, test } from 'vitest';
import type { Picture } from '../../src/board/picture.ts';
import { actsOf, leadOf, lengthOf } from '../../src/finale/acts.ts';
import { runOver, trainAt } from '../../src/finale/run.ts';
import type { Edition } from '../../src/lib/edition.ts';
import type { Finale, Result } from '../../src/protocol.gen.ts';

const worth: Record<string, number> = { 'a-b': 5, 'b-c': 8, 'c-d': 11, 'd-e': 20 };
const edition = {
  tickets: new Map(Object.entries(worth).map(([id, points]) => [id, { id, points }])),
} as unknown as Edition;
const score = { routes: 30, stations: 8, longest: 9, bonus: 0, borrowed: {} };
const result: Result = {
  scores: [
    { ...score, tickets: 3, total: 41, completed: ['b-c'], failed: ['a-b'] },
    {
      ...score,
      tickets: -9,
      total: 39,
      longest: 14,
      bonus: 10,
      completed: ['c-d'],
      failed: ['d-e'],
      borrowed: { x: 'r2' },
    },
  ],
  winners: [0],
};
const finale: Finale = {
  ways: [{ 'b-c': ['r1'] }, { 'c-d': ['r3', 'r2'] }],
  trails: [['r1'], ['r3', 'r4']],
  stops: [
    ['b', 'c'],
    ['c', 'x', 'd'],
  ],
  decided: 'points',
};

describe('the acts of a finale', () => {
  const acts = actsOf(result, finale, edition);
  test('begin with the routes, end with the winner, and add up to the result', () => {
    expect(acts.map((act) => act.kind)).toEqual([
      'routes',
      'ticket',
      'ticket',
      'ticket',
      'ticket',
      'longest',
      'winner',
    ]);
    expect(acts[0]!.totals).toEqual([38, 38]);
    expect(acts.at(-1)!.totals).toEqual(result.scores.map((one) => one.total));
  });
  test('who has fewest points comes first, failed tickets before completed ones, with what was borrowed', () => {
    const tickets = acts.flatMap((act) => (act.kind === 'ticket' ? [act] : []));
    expect(tickets.map((act) => [act.seat, act.ticket, act.points])).toEqual([
      [1, 'd-e', -20],
      [1, 'c-d', 11],
      [0, 'a-b', -5],
      [0, 'b-c', 8],
    ]);
    expect(tickets[1]).toMatchObject({ way: ['r3', 'r2'], borrowed: ['r2'] });
    expect(tickets[0]).toMatchObject({ done: false, way: [] });
  });
  test('are short, and the winner stays', () => {
    const all = acts.map((act) => lengthOf(act, acts, finale));
    expect(all.at(-1)).toBeNull();
    expect(all.slice(0, -1).every((one) => one !== null && one >= 500 && one <= 4_000)).toBe(true);
  });
});

test('the winner leads by so many points, most of them by one thing', () => {
  expect(leadOf(result)).toEqual({ points: 2, over: 1, part: 'tickets' });
  expect(leadOf({ ...result, winners: [0, 1] })).toBeNull();
  expect(leadOf({ ...result, scores: [result.scores[0]!, { ...result.scores[1]!, total: 41 }] })).toBeNull();
});

describe('the run of a train', () => {
  const spaces = (...at: number[]) => at.map((x) => ({ x, y: 0, angle: 0, width: 20, height: 11 }));
  const picture = {
    routes: [
      { id: 'r3', a: 'x', b: 'c', spaces: spaces(80, 30) },
      { id: 'r4', a: 'x', b: 'd', spaces: spaces(120, 170) },
    ],
    cities: [
      { id: 'c', x: 0, y: 0 },
      { id: 'x', x: 100, y: 0 },
      { id: 'd', x: 200, y: 0 },
    ],
  } as unknown as Picture;
  test('passes every route from city to city, also against its direction', () => {
    const run = runOver(picture, ['r3', 'r4'], ['c', 'x', 'd']);
    expect(run.length).toBe(200);
    expect(run.ends).toEqual([100, 200]);
    expect(trainAt(run, 0)).toMatchObject({ x: 0, behind: 0 });
    expect(trainAt(run, 0.5)).toMatchObject({ x: 100, angle: 0, behind: 1 });
    expect(trainAt(run, 1)).toMatchObject({ x: 200, behind: 2 });
  });
});
