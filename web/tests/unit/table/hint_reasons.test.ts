import { describe, expect, test } from 'vitest';
import type { Edition } from '../../../src/lib/edition.ts';
import { reasons } from '../../../src/table/decision/hint_reasons.ts';

const edition = { ticketName: (id: string) => `<${id}>`, routeName: (id: string) => `[${id}]` } as Edition;

describe('what speaks for a hint', () => {
  test('tickets that a claim completes or brings nearer, and what is expected', () => {
    const why = {
      goals: [
        { ticket: 'a', trains: 0 },
        { ticket: 'b', trains: 4 },
      ],
      chance: 0.714,
    };
    expect(reasons(why, 'claim', 'Director', edition)).toEqual([
      'That completes <a>.',
      'It is on the way for <b> (4 trains to go).',
      'From here Director would win 71% of games.',
    ]);
  });
  test('the points of a route that serves no ticket', () => {
    expect(reasons({ points: 1 }, 'claim', 'Driver', edition)).toEqual(['It helps no ticket, but is worth 1 point.']);
  });
  test('what a card is for', () => {
    const goals = [{ ticket: 'a', trains: 5 }];
    expect(reasons({ route: 'r', missing: 2, goals }, 'take', 'Driver', edition)).toEqual([
      'It is meant for [r]; 2 more cards of that colour are needed.',
      'That is for <a> (5 trains to go).',
    ]);
    expect(reasons({ route: 'r', missing: 0 }, 'take', 'Driver', edition)[0]).toContain('no more cards');
    expect(reasons({ missing: 3 }, 'draw', 'Driver', edition)).toEqual(['The planned routes lack 3 cards.']);
  });
  test('what tickets take and leave; nothing where nothing is known', () => {
    expect(reasons({ goals: [{ ticket: 'a', trains: 9 }], spare: 12 }, 'keep', 'Driver', edition)).toEqual([
      'By the shortest open way: <a> (9 trains to go).',
      'The tickets leave 12 trains free.',
    ]);
    expect(reasons({ spare: -2 }, 'tickets', 'Driver', edition)).toEqual([]);
    expect(reasons({}, 'pass', 'Driver', edition)).toEqual([]);
  });
});
