import { describe, expect, test } from 'vitest';
import { extendLog, prependLog, type Entry } from '../../../src/lib/log.ts';
import type { State } from '../../../src/protocol.gen.ts';

const entry = (number: number) => ({ entry: 'created', number, at: 0 }) as Entry;
const state = (since: number, ...numbers: number[]) =>
  ({ since, number: numbers.at(-1) ?? since, entries: numbers.map(entry) }) as unknown as State;
const numbers = (entries: readonly Entry[]) => entries.map((one) => one.number);

describe('the log', () => {
  test('grows by what is new', () => {
    expect(numbers(extendLog([entry(1), entry(2)], 2, state(2, 3, 4)))).toEqual([1, 2, 3, 4]);
  });
  test('takes nothing twice', () => {
    expect(numbers(extendLog([entry(1), entry(2)], 2, state(0, 1, 2, 3)))).toEqual([1, 2, 3]);
  });
  test('starts anew after a gap', () => {
    expect(numbers(extendLog([entry(1)], 1, state(5, 6)))).toEqual([6]);
  });

  test('a page of earlier events goes before the others, if it fits', () => {
    expect(numbers(prependLog([entry(3), entry(4)], [entry(1), entry(2)]))).toEqual([1, 2, 3, 4]);
    expect(numbers(prependLog([entry(4)], [entry(1), entry(2)]))).toEqual([4]);
    expect(numbers(prependLog([entry(4)], []))).toEqual([4]);
  });
});
