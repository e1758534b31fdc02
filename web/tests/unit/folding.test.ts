import { describe, expect, test } from 'vitest';
import { foldEntries, type Entry } from '../../src/lib/folding.ts';
import { placeOf, socketUrl, tableUrl } from '../../src/lib/places.ts';
import { wayBetween } from '../../src/lib/ways.ts';
import type { State } from '../../src/protocol.gen.ts';

const entry = (number: number) => ({ entry: 'created', number, at: 0 }) as Entry;
const state = (since: number, ...numbers: number[]) =>
  ({ since, number: numbers.at(-1) ?? since, entries: numbers.map(entry) }) as unknown as State;
const numbers = (entries: readonly Entry[]) => entries.map((one) => one.number);

describe('the log', () => {
  test('grows by what is new', () => {
    expect(numbers(foldEntries([entry(1), entry(2)], 2, state(2, 3, 4)))).toEqual([1, 2, 3, 4]);
  });
  test('takes nothing twice', () => {
    expect(numbers(foldEntries([entry(1), entry(2)], 2, state(0, 1, 2, 3)))).toEqual([1, 2, 3]);
  });
  test('starts anew after a gap', () => {
    expect(numbers(foldEntries([entry(1)], 1, state(5, 6)))).toEqual([6]);
  });
});

describe('places', () => {
  test.each([
    ['http://h:1/', 'http://h:1/', null],
    ['http://h:1/table/abc', 'http://h:1/', 'abc'],
    ['https://h/games/', 'https://h/games/', null],
    ['https://h/games/table/a_b-c', 'https://h/games/', 'a_b-c'],
  ])('%s', (url, root, table) => {
    expect(placeOf(new URL(url))).toMatchObject({ root, table });
  });
  test('are relative to the root', () => {
    expect(tableUrl('https://h/games/', 'x')).toBe('https://h/games/table/x');
    expect(socketUrl('https://h/games/')).toBe('wss://h/games/socket');
    expect(placeOf(new URL('http://h/#new')).setup).toBe(true);
  });
});

test('a way on the map is the shortest along the given routes', () => {
  const routes = [
    { id: 'ab', a: 'a', b: 'b', length: 1 },
    { id: 'bc', a: 'c', b: 'b', length: 1 },
    { id: 'ac', a: 'a', b: 'c', length: 5 },
  ];
  expect(wayBetween('a', 'c', routes)).toEqual(['ab', 'bc']);
  expect(wayBetween('a', 'x', routes)).toEqual([]);
});
