import { describe, expect, test } from 'vitest';
import { extendLog, keyedLines, prependLog, takenBack, type Entry, type Names } from '../../../src/lib/log.ts';
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

  test('what was said and is withheld since has no words any more', () => {
    const said = { ...entry(1), entry: 'said', text: 'rude' } as Entry;
    const withheld = { entry: 'withheld', number: 3, at: 0, line: 1 } as Entry;
    const after = extendLog([said, entry(2)], 2, { since: 2, number: 3, entries: [withheld] } as unknown as State);
    expect(after).toEqual([{ ...said, text: null }, entry(2), withheld]);
  });

  test('a page of earlier events goes before the others, if it fits', () => {
    expect(numbers(prependLog([entry(3), entry(4)], [entry(1), entry(2)]))).toEqual([1, 2, 3, 4]);
    expect(numbers(prependLog([entry(4)], [entry(1), entry(2)]))).toEqual([4]);
    expect(numbers(prependLog([entry(4)], []))).toEqual([4]);
  });
});

describe('moves that were taken back', () => {
  const decided = (number: number) => ({ entry: 'decided', number, at: 0, seat: 0, events: [] }) as unknown as Entry;
  const undone = (number: number, first: number) =>
    ({ entry: 'undone', number, at: 0, seat: 0, first }) as unknown as Entry;

  test('are those since the first that an undo names; what was decided later stands', () => {
    const entries = [decided(1), decided(2), decided(3), undone(4, 2), decided(5), undone(6, 5), decided(7)];
    expect([...takenBack(entries)].sort()).toEqual([2, 3, 5]);
  });
  test('twice over: an undo may reach back behind another one', () => {
    expect([...takenBack([decided(1), decided(2), undone(3, 2), decided(4), undone(5, 1)])].sort()).toEqual([1, 2, 4]);
  });
  test('are found in one pass, however often something was taken back', () => {
    const reads = [100, 1_000].map((games) => {
      const counted = counting(
        Array.from({ length: games }, (_, at) => [decided(2 * at + 1), undone(2 * at + 2, 2 * at + 1)]).flat(),
      );
      expect(takenBack(counted.entries).size).toBe(games);
      return counted.reads() / games;
    });
    expect(reads[1]).toBe(reads[0]);
  });
});

describe('the lines of a log', () => {
  const names: Names = { edition: null, seatName: (seat) => `player ${seat}` };
  /** Two lines for each decision: what was drawn, and that the clock had run out. */
  const drew = (number: number, late = true) =>
    ({
      entry: 'decided',
      number,
      at: 0,
      seat: number % 3,
      clock: late,
      events: [{ event: 'draw', player: number % 3, card: 'red' }],
    }) as unknown as Entry;
  const log = (length: number) => Array.from({ length }, (_, at) => drew(at + 1));

  test('are one for a turn: two cards, or tickets drawn and kept; not where one was taken back', () => {
    const did = (number: number, seat: number, event: object) =>
      ({ entry: 'decided', number, at: 0, seat, events: [{ player: seat, ...event }] }) as unknown as Entry;
    const entries = [
      did(1, 0, { event: 'take', card: 'red' }),
      did(2, 0, { event: 'draw', card: null }),
      did(3, 1, { event: 'draw', card: null }),
      did(4, 1, { event: 'draw', card: null }),
      did(5, 1, { event: 'take', card: 'locomotive' }),
      did(6, 0, { event: 'offer', tickets: ['a', 'b', 'c'] }),
      did(7, 0, { event: 'keep', kept: ['a'] }),
      did(8, 1, { event: 'take', card: 'blue' }),
      did(9, 1, { event: 'take', card: 'red' }),
      { entry: 'undone', number: 10, at: 0, seat: 1, first: 9 } as unknown as Entry,
    ];
    const lines = keyedLines(entries, names);
    expect(lines.map(({ key, seat, cards }) => [key, seat, cards])).toEqual([
      ['log.take', 0, ['red', null]],
      ['log.draw', 1, [null, null]],
      ['log.take', 1, ['locomotive']],
      ['log.kept_of', 0, []],
      ['log.take', 1, ['blue']],
      ['log.take', 1, ['red']],
      ['log.undone', 1, []],
    ]);
    expect(lines[3]!.params).toEqual({ name: 'player 0', drawn: 3, count: 1 });
    expect(keyedLines(entries, names, lines)[0]).toBe(lines[0]);
  });

  test('have ids of their own, also those of one entry', () => {
    const ids = keyedLines(log(50), names).map((line) => line.id);
    expect(new Set(ids).size).toBe(100);
    expect(ids.slice(0, 3)).toEqual(['1.0', '1.1', '2.0']);
  });

  test('stay what they were when entries come after or before them: the same ids, the same objects', () => {
    const all = log(12);
    const first = keyedLines(all.slice(4, 10), names);
    const later = keyedLines(all.slice(4), names, first);
    expect(later.length).toBe(16);
    first.forEach((line, at) => expect(later[at]).toBe(line));
    const whole = keyedLines(all, names, later);
    expect(whole.length).toBe(24);
    later.forEach((line, at) => expect(whole[at + 8]).toBe(line));
  });

  test('are new where they say something new: a name, a move that was taken back', () => {
    const before = keyedLines(log(3), names);
    const renamed = keyedLines(
      log(3),
      { ...names, seatName: (seat) => (seat === 1 ? 'Ada' : `player ${seat}`) },
      before,
    );
    expect(renamed.map((line, at) => line === before[at])).toEqual([false, false, true, true, true, true]);
    expect(renamed[0]!.params).toEqual({ name: 'Ada' });
    const undone = { entry: 'undone', number: 4, at: 0, seat: 0, first: 3 } as unknown as Entry;
    const after = keyedLines([...log(3), undone], names, before);
    expect(after.map((line) => line.gone)).toEqual([false, false, false, false, true, true, false]);
    expect(after.slice(0, 6).map((line, at) => line === before[at])).toEqual([true, true, true, true, false, false]);
  });

  test('are made in one pass: a longer log reads no entry more often', () => {
    const reads = [100, 1_000].map((length) => {
      const { entries, reads } = counting(log(length));
      keyedLines(entries, names, keyedLines(entries.slice(0, -1), names));
      return reads() / (2 * length - 1);
    });
    expect(reads[1]).toBeCloseTo(reads[0]!, 6);
  });
});

/** Return entries that count how often they are read. */
function counting(entries: readonly Entry[]): { entries: readonly Entry[]; reads: () => number } {
  let reads = 0;
  const counted = entries.map(
    (one) => new Proxy(one, { get: (target, name) => ((reads += 1), Reflect.get(target, name)) }),
  );
  return { entries: counted, reads: () => reads };
}
