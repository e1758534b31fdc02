import { describe, expect, test } from 'vitest';
import type { RoutePicture } from '../../../src/board/picture.ts';
import { placed, shapesOf, WAVE } from '../../../src/board/drawing/placed.ts';
import { claimsOf } from '../../../src/board/drawing/rows.ts';
import { CARRIAGE, ROOF, SYMBOLS } from '../../../src/drawing.gen.ts';

const numbers = (d: string) => [...d.matchAll(/-?\d*\.?\d+/g)].map(Number);

describe('a shape in its place', () => {
  test('is moved, turned and stretched as the same transform would do it', () => {
    expect(placed('M1 2L-3-4H5V6Z', { x: 10, y: 20 })).toBe('M11 22L7 16L15 16L15 26Z');
    expect(placed('M1 2H3', { x: 10, y: 20, angle: 90 })).toBe('M8 21L8 23');
    expect(placed('M10 1', { x: 0, y: 0, angle: 90, along: 2, across: 1 })).toBe('M-1 20');
    expect(placed('M0 0Q1 2 3 4T5 6', { x: 1, y: 1 })).toBe('M1 1Q2 3 4 5T6 7');
  });

  test('keeps the arcs of a circle, as large as it is drawn', () => {
    expect(placed('M-3 0A3 3 0 1 1 3 0', { x: 10, y: 10, along: 2 })).toBe('M4 10A6 6 0 1 1 16 10');
    expect(placed('M-3 0A3 3 0 0 0 3 0', { x: 0, y: 0, angle: -90 })).toBe('M0 3A3 3 0 0 0 0 -3');
  });

  test.each([['carriage', CARRIAGE], ['roof', ROOF], ['wave', WAVE], ...Object.entries(SYMBOLS)])(
    '%s at its own place is itself',
    (_, d) => {
      expect(d).toMatch(/^[MLHVQTAZ\d\s.-]+$/); // absolute commands that are known
      const [x, y] = numbers(d);
      expect(numbers(placed(d, { x: 0, y: 0 })).slice(0, 2)).toEqual([x, y]);
      expect(placed(placed(d, { x: 7, y: -9, angle: 30 }), { x: 0, y: 0 })).toBe(placed(d, { x: 7, y: -9, angle: 30 }));
    },
  );
});

describe('the shapes of a route', () => {
  const space = (x: number, angle = 0) => ({ x, y: 50, angle, width: 23, height: 9 });
  const route: RoutePicture = {
    id: 'a-b',
    a: 'a',
    b: 'b',
    length: 3,
    color: 'blue',
    tunnel: false,
    ferry: [1],
    line: '',
    spaces: [space(10), space(40, 90), space(70)],
  };

  test('has one of each for every space that shows it', () => {
    const shapes = shapesOf(route);
    const begins = (d: string) => [...d.matchAll(/M/g)].length;
    expect([begins(shapes.carriages), begins(shapes.inner), begins(shapes.bars)]).toEqual([3, 3, 3]);
    expect(begins(shapes.arches)).toBe(6);
    expect(begins(shapes.symbols)).toBe(2); // not on the locomotive
    expect(begins(shapes.locomotives)).toBe(begins(SYMBOLS['locomotive']!));
    expect(begins(shapes.waves)).toBe(2);
    expect(shapesOf(route)).toBe(shapes);
  });

  test('belong to their owners, in the order of the seats', () => {
    const routes = ['a', 'b', 'c', 'd'].map((id) => ({ ...route, id }));
    const claims = claimsOf(routes, { d: 0, a: 2, c: 0 });
    expect(claims.map(({ seat, routes: theirs }) => [seat, theirs.map((one) => one.id)])).toEqual([
      [0, ['c', 'd']],
      [2, ['a']],
    ]);
    expect(claimsOf(routes, {})).toEqual([]);
  });

  test('are the same as before for every player whose routes are, and empty for those without', () => {
    const routes = ['a', 'b', 'c', 'd'].map((id) => ({ ...route, id }));
    const first = claimsOf(routes, { d: 0, a: 2 }, 3);
    expect(first.map(({ routes: theirs }) => theirs.length)).toEqual([1, 0, 1]);
    const then = claimsOf(routes, { d: 0, a: 2, c: 2 }, 3, first);
    expect(then.map((one, seat) => one === first[seat])).toEqual([true, true, false]);
  });
});
