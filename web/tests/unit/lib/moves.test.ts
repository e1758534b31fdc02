import { describe, expect, test } from 'vitest';
import { countCards, keepAction, parseMove, parseMoves, payableWith } from '../../../src/lib/moves.ts';

const moves = parseMoves([
  'draw',
  'take red',
  'take locomotive',
  'tickets',
  'claim paris-zurich blue blue locomotive',
  'claim paris-zurich blue blue blue',
  'claim paris-zurich locomotive locomotive locomotive',
  'claim roma-venezia black black',
  'station wien red',
  'station wien blue',
  'station roma blue',
]);

describe('the moves that the server lists', () => {
  test('are sorted by what they are about', () => {
    expect(moves.draw).toBe(true);
    expect(moves.pass).toBe(false);
    expect([...moves.takes]).toEqual(['red', 'locomotive']);
    expect([...moves.claims.keys()]).toEqual(['paris-zurich', 'roma-venezia']);
    expect([...moves.stations.keys()]).toEqual(['wien', 'roma']);
  });

  test('payments for one route stand together, the fewest locomotives first', () => {
    const payments = moves.claims.get('paris-zurich')!;
    expect(payments.map((one) => one.locomotives)).toEqual([0, 1, 3]);
    expect(payments[1]).toMatchObject({ color: 'blue', cards: ['blue', 'blue', 'locomotive'] });
    expect(payments[2]).toMatchObject({ color: 'locomotive' });
  });

  test('a colour shows the routes that it buys', () => {
    expect([...payableWith(moves.claims, 'blue')]).toEqual(['paris-zurich']);
    expect([...payableWith(moves.claims, 'locomotive')]).toEqual(['paris-zurich']);
    expect([...payableWith(moves.claims, null)]).toEqual(['paris-zurich', 'roma-venezia']);
    expect([...payableWith(moves.claims, 'green')]).toEqual([]);
  });

  test('a tunnel is paid or given up', () => {
    const tunnel = parseMoves(['pay blue', 'pay locomotive', 'withdraw']);
    expect(tunnel.pays.map((one) => one.action)).toEqual(['pay blue', 'pay locomotive']);
    expect(tunnel.withdraw).toBe(true);
  });

  test('tickets are kept by number, the others in any order', () => {
    expect(keepAction([3, 1])).toBe('keep 1 3');
    expect(keepAction([])).toBe('keep none');
    expect(keepAction([2], [1, 3])).toBe('keep 2');
    expect(keepAction([2], [3, 1])).toBe('keep 2 back 3 1');
  });

  test('equal cards lie together', () => {
    expect(countCards(['blue', 'blue', null, 'locomotive'])).toEqual([
      ['blue', 2],
      [null, 1],
      ['locomotive', 1],
    ]);
  });
});

test('a move by its parts', () => {
  expect(parseMove('claim paris-zurich blue locomotive')).toEqual({
    verb: 'claim',
    target: 'paris-zurich',
    cards: ['blue', 'locomotive'],
  });
  expect(parseMove('keep 2 3 back 4 1')).toEqual({ verb: 'keep', kept: [2, 3], cards: [] });
  expect(parseMove('keep none')).toEqual({ verb: 'keep', kept: [], cards: [] });
  expect(parseMove('take red')).toEqual({ verb: 'take', cards: ['red'] });
  expect(parseMove('draw')).toEqual({ verb: 'draw', cards: [] });
});
