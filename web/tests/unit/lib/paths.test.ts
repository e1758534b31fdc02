import { expect, test } from 'vitest';
import { cheapestWays, shortestPath } from '../../../src/lib/paths.ts';

test('a path is the shortest along the given routes', () => {
  const routes = [
    { id: 'ab', a: 'a', b: 'b', length: 1 },
    { id: 'bc', a: 'c', b: 'b', length: 1 },
    { id: 'ac', a: 'a', b: 'c', length: 5 },
  ];
  expect(shortestPath('a', 'c', routes)).toEqual(['ab', 'bc']);
  expect(shortestPath('a', 'x', routes)).toEqual([]);
});

test('all cheapest ways are found, not only the first', () => {
  const routes = [
    { id: 'ab', a: 'a', b: 'b', length: 2 },
    { id: 'bd', a: 'b', b: 'd', length: 1 },
    { id: 'ac', a: 'c', b: 'a', length: 1 },
    { id: 'cd', a: 'c', b: 'd', length: 2 },
    { id: 'ad', a: 'a', b: 'd', length: 4 },
  ];
  const { length, routes: on } = cheapestWays('a', 'd', routes);
  expect(length).toBe(3);
  expect([...on].sort()).toEqual(['ab', 'ac', 'bd', 'cd']);
  expect(cheapestWays('a', 'x', routes)).toEqual({ length: null, routes: new Set() });
});
