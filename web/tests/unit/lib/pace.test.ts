import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pacer, savePace } from '../../../src/lib/pace.ts';
import type { State } from '../../../src/protocol.gen.ts';

const state = (number: number, bot: string, clock = 'none') =>
  ({ number, entries: [{ entry: 'decided', bot, number }], table: { clock: { kind: clock } } }) as unknown as State;

let pace = 1000;
let shown: number[] = [];
let pacer: Pacer;
beforeEach(() => {
  vi.useFakeTimers();
  pace = 1000;
  shown = [];
  pacer = new Pacer(
    () => pace,
    (one) => shown.push(one.number),
  );
});
afterEach(() => vi.useRealTimers());

test('decisions of bots are shown one after the other, those of people at once', () => {
  pacer.add(state(1, ''));
  pacer.add(state(2, 'greedy'));
  pacer.add(state(3, 'greedy'));
  pacer.add(state(4, ''));
  expect(shown).toEqual([1, 2]);
  vi.advanceTimersByTime(999);
  expect(shown).toEqual([1, 2]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual([1, 2, 3]);
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual([1, 2, 3, 4]);
  vi.advanceTimersByTime(5000);
  pacer.add(state(5, 'greedy'));
  expect(shown).toEqual([1, 2, 3, 4, 5]);
});

test('nothing waits without a pace or under a live clock, and what waits is shown first', () => {
  pacer.add(state(1, 'greedy'));
  pacer.add(state(2, 'greedy'));
  pace = 0;
  pacer.add(state(3, 'greedy'));
  expect(shown).toEqual([1, 2, 3]);
  pace = 1000;
  pacer.add(state(4, 'greedy', 'live'));
  pacer.add(state(5, 'greedy', 'live'));
  expect(shown).toEqual([1, 2, 3, 4, 5]);
});

test('a pace that is off stops everything that moves, trains that roll in as well', async () => {
  const marks = new Set<string>();
  const documentElement = {
    toggleAttribute: (name: string, on: boolean) => (on ? marks.add(name) : marks.delete(name)),
    hasAttribute: (name: string) => marks.has(name),
  };
  vi.stubGlobal('document', { documentElement });
  vi.stubGlobal('window', { matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
  const { roll } = await import('../../../src/board/drawing/pieces.ts');
  const rolled = () => roll({} as Element, { order: 3 }).duration;
  savePace('800');
  expect(rolled()).toBeGreaterThan(0);
  savePace('0');
  expect(rolled()).toBe(0);
  savePace('1500');
  expect(rolled()).toBeGreaterThan(0);
  vi.unstubAllGlobals();
});
