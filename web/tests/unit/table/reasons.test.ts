import { describe, expect, test } from 'vitest';
import type { TableModel } from '../../../src/lib/table.svelte.ts';
import type { RouteFact } from '../../../src/protocol.gen.ts';
import { claimBar, refusalText, routeReason } from '../../../src/table/reasons.ts';

const model = {
  seat: 0,
  own: { hand: { blue: 2, locomotive: 1 } },
  public: { seats: [{ trains: 2 }] },
} as unknown as TableModel;
const route = (more: Partial<RouteFact>) =>
  ({ id: 'a-b', a: 'a', b: 'b', length: 4, color: 'blue', ferry: 0, tunnel: false, ...more }) as RouteFact;

describe('a refusal', () => {
  test('a route that cannot be claimed says what is missing, with the numbers of the player', () => {
    const why = (reason: string, more: Partial<RouteFact> = {}) => routeReason(model, route(more), reason);
    expect(why('too_few_cards')).toBe('You need 4 blue cards or locomotives; you have 2 blue cards and 1 locomotive.');
    expect(why('too_few_cards', { color: 'gray' })).toBe('You need 4 cards of any one colour, locomotives included.');
    expect(why('too_few_trains', { length: 3 })).toBe('You need 3 trains; you have 2.');
    expect(why('ferry_locomotives', { ferry: 2 })).toBe('You need 2 locomotives; you have 1.');
    expect(why('closed_double')).toContain('only one route of a double');
    expect(why('own_double')).toContain('can never own both');
  });

  test('a route that somebody claims while others play is known to be claimed', () => {
    const at = (barred: Record<string, string>) =>
      ({ ...model, barred, owners: { 'a-b': 1 } }) as unknown as TableModel;
    expect(claimBar(at({}), 'a-b')).toBe('route_claimed');
    expect(claimBar(at({ 'claim c-d': 'too_few_cards' }), 'c-d')).toBe('too_few_cards');
    expect(claimBar(at({}), 'c-d')).toBeUndefined();
  });

  test('of the server has its reason, or what its code means', () => {
    expect(refusalText({ code: 'illegal_action', reason: 'no_tickets_left' })).toBe('The ticket deck is empty.');
    expect(refusalText({ code: 'stale' })).toContain('Look again');
    expect(refusalText({ code: 'from_the_future' })).toContain('from_the_future');
  });
});
