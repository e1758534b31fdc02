import { describe, expect, test } from 'vitest';
import { Remarks } from '../../src/chat/remarks.ts';
import type { Entry } from '../../src/lib/log.ts';
import type { TableInfo } from '../../src/protocol.gen.ts';

const seats = [
  { kind: 'person', name: 'Ada', bot: '' },
  { kind: 'bot', name: '', bot: 'conductor' },
] as unknown as TableInfo['seats'];
const decided = (number: number, seat: number, ...events: object[]) =>
  ({ entry: 'decided', number, at: 0, seat, bot: '', clock: false, counting: [], events }) as unknown as Entry;
const claim = (route: string) => ({ event: 'claim', player: 0, route, cards: [], points: 15 });
const lengthOf = (route: string) => (route === 'long' ? 6 : 2);

describe('what bots say', () => {
  test('is about what a person or they themselves have done before everybody', () => {
    expect(new Remarks().about([decided(20, 0, claim('long'))], seats, lengthOf)).toEqual({
      seat: 1,
      voice: 'conductor',
      occasion: 'their_long',
    });
    expect(new Remarks().about([decided(20, 1, claim('long'))], seats, lengthOf)?.occasion).toBe('long');
    expect(new Remarks().about([decided(20, 0, claim('short'))], seats, lengthOf)).toBeNull();
  });

  test('never answers to cards and tickets, shown or hidden', () => {
    const quiet = [
      { event: 'draw', player: 1, card: null },
      { event: 'draw', player: 1, card: 'locomotive' },
      { event: 'keep', player: 1, kept: null, returned: null },
      { event: 'keep', player: 1, kept: ['a'], returned: ['b'] },
      { event: 'offer', player: 1, tickets: [null, null] },
    ];
    for (const event of quiet) expect(new Remarks().about([decided(20, 1, event)], seats, lengthOf)).toBeNull();
  });

  test('is little: a pause between two remarks, and few in a game', () => {
    const remarks = new Remarks();
    const said = Array.from({ length: 100 }, (_, at) =>
      remarks.about([decided(20 + at, 0, claim('long'))], seats, lengthOf),
    ).filter(Boolean);
    expect(said).toHaveLength(5);
    expect(remarks.about([decided(200, 0, claim('long'))], seats, lengthOf)).toBeNull();
  });

  test('stays among bots where no person plays', () => {
    const bots = [seats[1]!, seats[1]!] as TableInfo['seats'];
    expect(new Remarks().about([decided(20, 0, claim('long'))], bots, lengthOf)).toBeNull();
    expect(new Remarks().atTheEnd([0], bots)).toBeNull();
    expect(new Remarks().atTheEnd([0], seats)?.occasion).toBe('lost');
    expect(new Remarks().atTheEnd([1], seats)?.occasion).toBe('won');
  });
});
