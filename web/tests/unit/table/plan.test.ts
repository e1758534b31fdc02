import { describe, expect, test } from 'vitest';
import type { RouteFact, TicketInPlay } from '../../../src/protocol.gen.ts';
import { costOf, missingCards, planWays, wayOver } from '../../../src/table/planner/plan.ts';
import { borrowable, loansOf, withLoans } from '../../../src/table/planner/stations.ts';

const route = (id: string, length: number, color = 'gray', more: Partial<RouteFact> = {}): RouteFact => {
  const [a, b] = id.split('-') as [string, string];
  return { id, a, b, length, color, ferry: 0, tunnel: false, ...more } as RouteFact;
};
// A square a b d c with a diagonal: the way over c is longer.
const square = [
  route('a-b', 2, 'red'),
  route('b-d', 2, 'blue'),
  route('a-c', 4),
  route('c-d', 3, 'red'),
  route('b-c', 1),
];
const ticket = (id: string): [string, TicketInPlay] => {
  const [a, b] = id.split('/') as [string, string];
  return [id, { id, a, b, points: 5, long: false } as TicketInPlay];
};
const tickets = new Map([ticket('a/d'), ticket('b/c'), ticket('a/c'), ticket('a/x')]);
const none: ReadonlySet<string> = new Set();

describe('a way', () => {
  test('is the cheapest, and can be bent over other routes', () => {
    expect(wayOver('a', 'd', [], square)).toEqual(['a-b', 'b-d']);
    expect(wayOver('a', 'd', ['c-d'], square)).toEqual(['a-b', 'b-c', 'c-d']);
    expect(wayOver('a', 'd', ['a-c', 'c-d'], square)).toEqual(['a-c', 'c-d']);
    expect(wayOver('a', 'x', [], square)).toBeNull();
  });

  test('ignores a bend over a route that is gone', () => {
    expect(wayOver('a', 'd', ['x-y'], square)).toEqual(['a-b', 'b-d']);
  });
});

describe('a plan', () => {
  test('uses for one ticket what another needs anyway, whatever the order of the pins', () => {
    for (const order of [
      ['a/c', 'a/d'],
      ['a/d', 'a/c'],
    ]) {
      const ways = planWays(
        order.map((one) => ({ ticket: one, via: [] })),
        tickets,
        square,
        none,
      );
      expect(ways.get('a/d')).toEqual(['a-b', 'b-d']);
      expect(ways.get('a/c')).toEqual(['a-b', 'b-c']);
    }
  });

  test('leads past what is avoided, over own routes first, and says what is lost', () => {
    const pins = [
      { ticket: 'a/d', via: [] },
      { ticket: 'a/x', via: [] },
    ];
    expect(planWays(pins, tickets, square, new Set(['b-d'])).get('a/d')).toEqual(['a-b', 'b-c', 'c-d']);
    const own = square.map((one) => (one.id === 'a-c' || one.id === 'c-d' ? { ...one, length: 0 } : one));
    expect(planWays(pins, tickets, own, none).get('a/d')).toEqual(['a-c', 'c-d']);
    expect(planWays(pins, tickets, square, none).get('a/x')).toBeNull();
  });
});

describe('what is missing', () => {
  test('is counted by colour, after what the hand has', () => {
    const { colors, gray, spare } = missingCards(
      [route('a-b', 3, 'red'), route('b-c', 2, 'red'), route('c-d', 2, 'blue')],
      { red: 4, blue: 2 },
    );
    expect([colors, gray, spare]).toEqual([{ red: 1 }, [], 0]);
  });

  test('grey routes take what is left of one colour, and locomotives can stand in', () => {
    const missing = missingCards([route('a-b', 4), route('b-c', 2, 'red')], { red: 4, green: 3, locomotive: 2 });
    expect(missing).toEqual({ colors: {}, gray: [1], locomotives: 0, spare: 2 });
  });

  test('ferries ask for their locomotives', () => {
    const missing = missingCards([route('a-b', 4, 'gray', { ferry: 2 })], { black: 2, locomotive: 1 });
    expect(missing).toEqual({ colors: {}, gray: [], locomotives: 1, spare: 0 });
  });
});

describe('stations', () => {
  const others = [route('a-b', 2), route('b-d', 2), route('x-y', 3)];
  const solve = (over: readonly RouteFact[]) => (lent: readonly RouteFact[]) => {
    const routes = [...over, ...lent];
    const ways = planWays([{ ticket: 'a/d', via: [] }], tickets, routes, none);
    return { ways, used: new Set(ways.get('a/d') ?? []), cost: costOf(ways, routes) };
  };

  test('borrow what ends in their city, for no trains', () => {
    expect(borrowable(['b'], others).map(({ id, length }) => [id, length])).toEqual([
      ['a-b', 0],
      ['b-d', 0],
    ]);
    expect(borrowable([], others)).toEqual([]);
  });

  test('borrow one route each, and change places where that helps', () => {
    expect(loansOf(others.slice(0, 2), ['b'])).toBeNull();
    expect(loansOf(others.slice(0, 2), ['b', 'd'])).toEqual(
      expect.arrayContaining([
        { city: 'b', route: 'a-b' },
        { city: 'd', route: 'b-d' },
      ]),
    );
    // The first route takes the station that the second needs, and gives it back for its other end.
    expect(loansOf([route('a-b', 2), route('c-a', 2)], ['a', 'b'])).toEqual(
      expect.arrayContaining([
        { city: 'b', route: 'a-b' },
        { city: 'a', route: 'c-a' },
      ]),
    );
  });

  test('a way borrows one route by a station, and claims the rest', () => {
    const left = [route('a-c', 4), route('c-d', 3), route('b-c', 1)];
    const lent = borrowable(['b'], others);
    // With both routes at b the way would be free: a station lends one of them.
    const plan = withLoans(lent, ['b'], solve(left));
    expect(plan.ways.get('a/d')).toEqual(['a-b', 'b-c', 'c-d']);
    expect(plan.loans).toEqual([{ city: 'b', route: 'a-b' }]);
    expect(plan.cost).toBe(4);
    expect(withLoans(lent, ['b', 'd'], solve(left)).ways.get('a/d')).toEqual(['a-b', 'b-d']);
  });

  test('a ticket without a way has one by a station', () => {
    const left = [route('b-d', 2)];
    expect(solve(left)([]).ways.get('a/d')).toBeNull();
    expect(withLoans(borrowable(['a'], [route('a-b', 2)]), ['a'], solve(left)).ways.get('a/d')).toEqual(['a-b', 'b-d']);
  });
});
