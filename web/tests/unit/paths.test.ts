import { expect, test } from 'vitest';
import { shortestPath } from '../../src/lib/paths.ts';

test('a path is the shortest along the given routes', () => {
  const routes = [
    { id: 'ab', a: 'a', b: 'b', length: 1 },
    { id: 'bc', a: 'c', b: 'b', length: 1 },
    { id: 'ac', a: 'a', b: 'c', length: 5 },
  ];
  expect(shortestPath('a', 'c', routes)).toEqual(['ab', 'bc']);
  expect(shortestPath('a', 'x', routes)).toEqual([]);
});
