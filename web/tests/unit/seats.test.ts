import { describe, expect, test } from 'vitest';
import { keepSeats, loadSeats, nextSeat, saveSeats } from '../../src/hotseat/seats.ts';
import { loadToken } from '../../src/connection/tokens.ts';

describe('seats that share a device', () => {
  test('are kept apart from a seat alone', () => {
    keepSeats('one', [{ seat: 2, token: 'a' }]);
    expect([loadToken('one'), loadSeats('one')]).toEqual(['a', []]);
    keepSeats('two', [
      { seat: 0, token: 'a' },
      { seat: 2, token: 'b' },
    ]);
    expect(loadSeats('two')).toEqual([
      { seat: 0, token: 'a' },
      { seat: 2, token: 'b' },
    ]);
    keepSeats('none', [{ seat: null, token: 'host' }]);
    expect([loadToken('none'), loadSeats('none')]).toEqual(['host', []]);
  });

  test('take turns, and choose first tickets one by one', () => {
    const seats = [
      { seat: 0, token: 'a' },
      { seat: 2, token: 'b' },
    ];
    expect(nextSeat(seats, [0, 1, 2])?.seat).toBe(0);
    expect(nextSeat(seats, [1, 2])?.seat).toBe(2);
    expect(nextSeat(seats, [1])).toBeNull();
  });

  test('what was stored by somebody else is no seat', () => {
    saveSeats('odd', [{ seat: 'x', token: 1 }] as never);
    expect(loadSeats('odd')).toEqual([]);
  });
});
