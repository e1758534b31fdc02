import { describe, expect, test } from 'vitest';
import { grouped, keeping, payableWith, readMove, readMoves } from '../../src/lib/moves.ts';

const menu = readMoves([
  'draw', 'take red', 'take locomotive', 'tickets',
  'claim paris-zurich blue blue locomotive', 'claim paris-zurich blue blue blue',
  'claim paris-zurich locomotive locomotive locomotive', 'claim roma-venezia black black',
  'station wien red', 'station wien blue', 'station roma blue',
]);

describe('the moves that the server lists', () => {
  test('are sorted by what they are about', () => {
    expect(menu.draw).toBe(true);
    expect(menu.pass).toBe(false);
    expect([...menu.takes]).toEqual(['red', 'locomotive']);
    expect([...menu.claims.keys()]).toEqual(['paris-zurich', 'roma-venezia']);
    expect([...menu.stations.keys()]).toEqual(['wien', 'roma']);
  });

  test('payments for one route stand together, the fewest locomotives first', () => {
    const ways = menu.claims.get('paris-zurich')!;
    expect(ways.map((way) => way.locomotives)).toEqual([0, 1, 3]);
    expect(ways[1]).toMatchObject({ color: 'blue', cards: ['blue', 'blue', 'locomotive'] });
    expect(ways[2]).toMatchObject({ color: 'locomotive' });
  });

  test('a colour shows the routes that it buys', () => {
    expect([...payableWith(menu.claims, 'blue')]).toEqual(['paris-zurich']);
    expect([...payableWith(menu.claims, 'locomotive')]).toEqual(['paris-zurich']);
    expect([...payableWith(menu.claims, null)]).toEqual(['paris-zurich', 'roma-venezia']);
    expect([...payableWith(menu.claims, 'green')]).toEqual([]);
  });

  test('a tunnel is paid or given up', () => {
    const tunnel = readMoves(['pay blue', 'pay locomotive', 'withdraw']);
    expect(tunnel.pays.map((way) => way.action)).toEqual(['pay blue', 'pay locomotive']);
    expect(tunnel.withdraw).toBe(true);
  });

  test('tickets are kept by number, the others in any order', () => {
    expect(keeping([3, 1])).toBe('keep 1 3');
    expect(keeping([])).toBe('keep none');
    expect(keeping([2], [1, 3])).toBe('keep 2');
    expect(keeping([2], [3, 1])).toBe('keep 2 back 3 1');
  });

  test('equal cards lie together', () => {
    expect(grouped(['blue', 'blue', null, 'locomotive'])).toEqual([['blue', 2], [null, 1], ['locomotive', 1]]);
  });
});

test('a move by its parts', () => {
  expect(readMove('claim paris-zurich blue locomotive')).toEqual({ verb: 'claim', target: 'paris-zurich', cards: ['blue', 'locomotive'] });
  expect(readMove('keep 2 3 back 4 1')).toEqual({ verb: 'keep', kept: [2, 3], cards: [] });
  expect(readMove('keep none')).toEqual({ verb: 'keep', kept: [], cards: [] });
  expect(readMove('take red')).toEqual({ verb: 'take', cards: ['red'] });
  expect(readMove('draw')).toEqual({ verb: 'draw', cards: [] });
});
