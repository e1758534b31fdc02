import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Command } from '../../../src/connection/connection.ts';
import { Edition } from '../../../src/lib/edition.ts';
import type { EditionDocument, State } from '../../../src/protocol.gen.ts';
import { Hold } from '../../../src/table/hold/hold.svelte.ts';
import { holdTime, saveHoldTime, watchPointer } from '../../../src/table/hold/hold_time.ts';
import { preview } from '../../../src/table/hold/preview.ts';

const draw: Command = { type: 'decide', action: 'draw' };
let sent: Command[] = [];
let seen: (Command | null)[] = [];
let online = true;
let left: number | null = null;
let time = 3_000;
let hold: Hold;

beforeEach(() => {
  vi.useFakeTimers();
  [sent, seen, online, left, time] = [[], [], true, null, 3_000];
  hold = new Hold({
    time: () => time,
    online: () => online,
    left: () => left,
    send: async (command) => (sent.push(command), true),
    changed: (command) => seen.push(command),
  });
});
afterEach(() => vi.useRealTimers());

describe('a move that is held', () => {
  test('leaves after its time, and not before', async () => {
    const accepted = hold.begin(draw);
    vi.advanceTimersByTime(2_999);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([draw]);
    expect(await accepted).toBe(true);
    expect(seen).toEqual([draw, null]);
  });

  test('is taken back by one tap, and never leaves', async () => {
    const accepted = hold.begin(draw);
    expect(hold.takeBack()).toBe(draw);
    vi.advanceTimersByTime(60_000);
    expect(sent).toEqual([]);
    expect(await accepted).toBe(false);
    expect(hold.command).toBeNull();
  });

  test('is carried out at once by the next tap, but not by the first one bouncing', async () => {
    void hold.begin(draw);
    vi.advanceTimersByTime(200);
    expect(hold.tap()).toBeNull();
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(await hold.tap()).toBe(true);
    expect(sent).toEqual([draw]);
    vi.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(1);
  });

  test('cannot be taken back once it has left', () => {
    void hold.begin(draw);
    void hold.carryOut();
    expect(hold.takeBack()).toBeNull();
    expect(hold.sent).toBe(true);
  });

  test('leaves at once where the player has set it so', () => {
    time = 0;
    void hold.begin(draw);
    expect(sent).toEqual([draw]);
  });

  test('does not outlast the clock', () => {
    left = 2_500;
    void hold.begin(draw);
    vi.advanceTimersByTime(1_500);
    expect(sent).toEqual([draw]);
  });

  test('waits without a connection, can be taken back, and begins to count when there is one', () => {
    online = false;
    void hold.begin(draw);
    vi.advanceTimersByTime(60_000);
    expect([hold.active, hold.until, sent]).toEqual([true, null, []]);
    online = true;
    hold.run();
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(3_000);
    expect(sent).toEqual([draw]);
  });

  test('stops counting when the connection is lost', () => {
    void hold.begin(draw);
    vi.advanceTimersByTime(1_000);
    online = false;
    hold.run();
    vi.advanceTimersByTime(10_000);
    expect(sent).toEqual([]);
    expect(hold.takeBack()).toBe(draw);
  });

  test('ends a move that was held before: one at a time', () => {
    void hold.begin(draw);
    void hold.begin({ type: 'pause' });
    vi.advanceTimersByTime(3_000);
    expect(sent).toEqual([{ type: 'pause' }]);
  });
});

test('a mouse is quicker than a finger or a key, unless the player has set a time', () => {
  const listeners: Record<string, (event: unknown) => void> = {};
  const target = {
    addEventListener: (kind: string, act: never) => (listeners[kind] = act),
    removeEventListener: () => undefined,
  };
  saveHoldTime('auto');
  watchPointer(target as never);
  listeners['pointerdown']!({ pointerType: 'touch' });
  expect(holdTime()).toBe(3_000);
  listeners['pointerdown']!({ pointerType: 'mouse' });
  expect(holdTime()).toBe(1_500);
  listeners['keydown']!({});
  expect(holdTime()).toBe(3_000);
  saveHoldTime('6000');
  expect(holdTime()).toBe(6_000);
  saveHoldTime('auto');
});

describe('what is held is shown as done', () => {
  const edition = new Edition({
    cities: [],
    tickets: [],
    in_play: [],
    routes: [
      { id: 'a-b', a: 'a', b: 'b', length: 2, color: 'red', ferry: 0, tunnel: false },
      { id: 'b-c', a: 'b', b: 'c', length: 2, color: 'red', ferry: 0, tunnel: true },
    ],
    edition: { route_points: { 2: 2 } },
  } as unknown as EditionDocument);
  const seat = { trains: 45, points: 0, cards: 3, known: {}, tickets: 0, stations_left: 3, stations: [], routes: [] };
  const state = {
    own: {
      seat: 0,
      hand: { red: 2, locomotive: 1 },
      tickets: [],
      offer: ['t1', 't2', 't3'],
      moves: { actions: [], barred: {} },
    },
    public: {
      seats: [seat, seat],
      display: ['red', 'blue', 'red', null, 'black'],
      deck: 50,
      discards: { red: 1 },
      tunnel: { route: 'b-c', laid: ['red'], revealed: {}, extra: 1 },
    },
  } as unknown as State;
  const done = (action: string) => {
    const { own, public: game } = preview(state, action, edition);
    return { own: own!, game: game!, me: game!.seats[0]!, other: game!.seats[1]! };
  };

  test('a claim: trains on the route, cards in the discards, points', () => {
    const { own, game, me, other } = done('claim a-b red locomotive');
    expect(me).toMatchObject({ routes: ['a-b'], trains: 43, points: 2, cards: 1 });
    expect(own.hand).toEqual({ red: 1 });
    expect(own.moves).toBeNull();
    expect(game.discards).toEqual({ red: 2, locomotive: 1 });
    expect(other).toEqual(seat);
  });

  test('a tunnel: its cards are laid, and nothing is claimed', () => {
    const { own, game, me } = done('claim b-c red red');
    expect(me.routes).toEqual([]);
    expect(own.hand).toEqual({ locomotive: 1 });
    expect(game.discards).toEqual({ red: 1 });
  });

  test('a station, a card, tickets', () => {
    expect(done('station a red').me).toMatchObject({ stations: ['a'], stations_left: 2, cards: 2 });
    expect(done('take red')).toMatchObject({
      me: { cards: 4 },
      game: { display: ['red', 'blue', 'red', null, 'black'] },
    });
    expect(done('take red').own.hand).toEqual({ red: 3, locomotive: 1 });
    expect(done('draw')).toMatchObject({ game: { deck: 49 }, me: { cards: 4 } });
    expect(done('keep 1 3').own).toMatchObject({
      offer: [],
      tickets: [
        { id: 't1', done: false },
        { id: 't3', done: false },
      ],
    });
  });

  test('the answer in a tunnel', () => {
    expect(done('pay red')).toMatchObject({
      me: { routes: ['b-c'], cards: 2, trains: 43, points: 2 },
      game: { tunnel: null },
    });
    expect(done('withdraw').own.hand).toEqual({ red: 3, locomotive: 1 });
  });
});
