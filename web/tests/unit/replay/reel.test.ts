import { describe, expect, test } from 'vitest';
import type { Film, Frame, SeatState } from '../../../src/protocol.gen.ts';
import { filmUrl, parseFilm } from '../../../src/replay/address.ts';
import { curvesOf, fallsOf, rangeOf, scaleOf } from '../../../src/replay/panels/charts.ts';
import { pointsOf, Reel } from '../../../src/replay/reel.ts';

const seat = (more: Partial<SeatState> = {}): SeatState => ({
  trains: 45,
  points: 0,
  cards: 4,
  known: {},
  tickets: 2,
  stations_left: 3,
  stations: [],
  routes: [],
  closed: [],
  ...more,
});
const first = {
  public: { seats: [seat(), seat()], deck: 90, phase: 'start' },
  hands: [null, null],
} as unknown as Frame;
const nothing = { public: {}, seats: {}, hands: {}, events: [] };
const claim = (player: number, route: string, points: number) => ({ event: 'claim', player, route, cards: [], points });
const film = {
  edition: 'europe',
  extras: [],
  players: ['Ada', 'bot:greedy'],
  practice: false,
  eyes: 'all',
  deal: [],
  first,
  whole: true,
  over: true,
  result: null,
  finale: null,
  seed: null,
  steps: [
    { ...nothing, seat: 0, turn: 0, events: [{ event: 'keep', player: 0 }] },
    { ...nothing, seat: 1, turn: 0, events: [{ event: 'keep', player: 1 }], public: { phase: 'turn' } },
    { ...nothing, seat: 0, turn: 1, seats: { 0: { cards: 5 } }, events: [{ event: 'draw', player: 0, card: 'red' }] },
    {
      ...nothing,
      seat: 0,
      turn: 1,
      seats: { 0: { cards: 6 } },
      public: { deck: 88 },
      events: [{ event: 'draw', player: 0, card: null }],
    },
    { ...nothing, seat: 1, turn: 2, seats: { 1: { points: 7, routes: ['a-b'] } }, events: [claim(1, 'a-b', 7)] },
    {
      ...nothing,
      seat: 0,
      turn: 3,
      seats: { 0: { points: 15, routes: ['b-c'] } },
      hands: { 0: { hand: { red: 1 }, tickets: [], offer: [], score: { total: 21 } } },
      events: [claim(0, 'b-c', 15)],
    },
    { ...nothing, seat: 1, turn: 4, events: [{ event: 'pass', player: 1 }], hands: { 0: null } },
  ],
} as unknown as Film;
const reel = new Reel(film);

describe('a reel', () => {
  test('has a frame for the deal and one after every step, which share what has not changed', () => {
    expect(reel.frames.length).toBe(8);
    expect(reel.frames[4]!.public).toMatchObject({ phase: 'turn', deck: 88 });
    expect(reel.frames[4]!.public.seats[0]!.cards).toBe(6);
    expect(reel.frames[5]!.public.seats[0]).toBe(reel.frames[4]!.public.seats[0]);
    expect(reel.frames[6]!.hands[0]).toMatchObject({ hand: { red: 1 } });
    expect(reel.frames[7]!.hands[0]).toBeNull();
  });
  test('counts everything where the viewer looks into a hand, else the points for routes', () => {
    expect([pointsOf(reel.frames[6]!, 0), pointsOf(reel.frames[6]!, 1)]).toEqual([21, 7]);
  });
  test.each([
    ['0', 0],
    ['1', 4],
    ['1.1', 3],
    ['1.2', 4],
    ['1.9', 4],
    ['2', 5],
    ['4', 7],
    ['99', 7],
  ])('turn %s is frame %i', (name, frame) => {
    expect(reel.frameNamed(name)).toBe(frame);
  });
  test('calls every frame of a turn by a name that leads back to it', () => {
    for (let at = 3; at <= reel.last; at += 1) expect(reel.frameNamed(reel.nameOf(at))).toBe(at);
    expect([reel.nameOf(3), reel.nameOf(4), reel.nameOf(0)]).toEqual(['1.1', '1', '0']);
  });
  test('jumps by turns, by a seat’s turns, by claims and by turning points', () => {
    expect([reel.jump(3, 'turn', 1), reel.jump(4, 'turn', 1), reel.jump(5, 'turn', -1)]).toEqual([4, 5, 4]);
    expect([
      reel.jump(0, 'claim', 1),
      reel.jump(5, 'claim', 1),
      reel.jump(6, 'claim', 1),
      reel.jump(5, 'claim', -1),
    ]).toEqual([5, 6, 7, 0]);
    expect(reel.turningPoints).toEqual([6]);
    const own = new Reel({ ...film, eyes: 1 });
    expect([own.jump(0, 'own', 1), own.jump(2, 'own', 1)]).toEqual([2, 5]);
  });
  test('knows when each route fell, and what has happened since a seat’s last turn', () => {
    expect(reel.claimed.get('b-c')).toBe(6);
    expect([reel.sinceLastTurn(0), reel.sinceLastTurn(1)]).toEqual([6, 7]);
  });
});

describe('the curves of a film', () => {
  test('have a value of every seat for each frame, and a round scale', () => {
    const [ada, bot] = curvesOf(reel, 'points');
    expect(ada!.values).toEqual([0, 0, 0, 0, 0, 0, 15, 15]);
    expect(bot!.values).toEqual([0, 0, 0, 0, 0, 7, 7, 7]);
    expect(rangeOf([ada!, bot!])).toEqual([0, 15]);
    expect(scaleOf([0, 15])).toEqual([0, 5, 10, 15]);
    expect(scaleOf([-12, 110])).toEqual([0, 50, 100]);
    expect(curvesOf(reel, 'score')[0]!.values[6]).toBe(21);
    expect(fallsOf(reel).map(({ turn, seat, route }) => [turn, seat, route])).toEqual([
      [2, 1, 'a-b'],
      [3, 0, 'b-c'],
    ]);
  });
  test('a card leads to the frame in which it came, or in which it is taken', () => {
    expect([reel.gained(5, 0, 'red'), reel.gained(5, 1, 'red'), reel.leaves(0, 2)]).toEqual([3, null, null]);
  });
});

describe('the address of a film', () => {
  test('names a table, a turn and the eyes', () => {
    const url = filmUrl('http://h/g/', 'abc', { turn: '12.1', eyes: 2 });
    expect(url).toBe('http://h/g/#/replay/abc?turn=12.1&seat=2');
    expect(parseFilm(new URL(url).hash)).toEqual({
      table: 'abc',
      turn: '12.1',
      eyes: 2,
      spoilerFree: false,
      since: false,
      fork: false,
    });
  });
  test('may leave everything out, or keep the rest back', () => {
    expect(parseFilm('#/replay')).toMatchObject({ table: null, turn: null, eyes: null });
    expect(
      parseFilm(new URL(filmUrl('http://h/', 'a', { turn: '3', eyes: 'all', spoilerFree: true })).hash),
    ).toMatchObject({ turn: '3', spoilerFree: true });
    expect(parseFilm('#/replay/a?turn=x&seat=9')).toMatchObject({ table: 'a', turn: null, eyes: null });
    expect(parseFilm('#new')).toBeNull();
    expect(parseFilm('#/replay/../etc')).toBeNull();
  });
});
