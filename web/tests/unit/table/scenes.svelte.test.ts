import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pacer } from '../../../src/lib/pace.ts';
import type { State } from '../../../src/protocol.gen.ts';
import { scenesOf, takenSince } from '../../../src/table/scenes/scene.ts';
import { Scenes } from '../../../src/table/scenes/scenes.svelte.ts';

const decided = (number: number, seat: number, events: object[], counting: number[] = []) => ({
  entry: 'decided',
  number,
  at: 0,
  seat,
  bot: 'greedy',
  events,
  counting,
});
const state = (number: number, ...entries: object[]) =>
  ({ number, since: number - 1, entries, table: { clock: { kind: 'none' } } }) as unknown as State;
const TUNNEL = {
  event: 'tunnel',
  player: 1,
  route: 'a-b',
  cards: ['red', 'red'],
  revealed: ['red', 'blue', 'locomotive'],
  extra: 2,
};

let pace = 800;
let still = false;
let scenes: Scenes;
beforeEach(() => {
  vi.useFakeTimers();
  [pace, still] = [800, false];
  scenes = new Scenes({ pace: () => pace, known: () => 1, still: () => still });
});
afterEach(() => vi.useRealTimers());

/** Let what is due happen, one timer after the other. */
const pass = async (time: number) => void (await vi.advanceTimersByTimeAsync(time));

test('events become scenes, in their order; what was missed does not', () => {
  const one = decided(2, 1, [
    { event: 'take', player: 1, place: 3, card: 'red' },
    { event: 'refill', place: 3, card: 'locomotive' },
    { event: 'flush', cards: ['locomotive', 'red', 'locomotive', 'locomotive', 'blue'] },
    { event: 'draw', player: 1, card: null },
  ]);
  expect(scenesOf(state(2, one), 1).map((scene) => scene.kind)).toEqual(['card', 'flush', 'card']);
  expect(scenesOf(state(2, one), 2)).toEqual([]);
  const many = Array.from({ length: 20 }, (_, at) => decided(at + 2, 1, [{ event: 'draw', player: 1, card: null }]));
  expect(scenesOf(state(30, ...many), 1)).toEqual([]);
});

test('a tunnel turns its cards up one by one, and the price is told after the third', async () => {
  const played = scenes.before(state(2, decided(2, 1, [TUNNEL], [0, 2])))!;
  const seen: [number, boolean][] = [];
  for (let step = 0; step < 5; step += 1) {
    seen.push([scenes.tunnel!.turned, scenes.tunnel!.told]);
    await pass(step < 4 ? 750 : 1_500);
  }
  expect(seen).toEqual([
    [0, false],
    [1, false],
    [2, false],
    [3, false],
    [3, true],
  ]);
  await played;
  expect(scenes.tunnel).toBeNull();
});

test('also when nothing is due, and when no card was left to turn up', async () => {
  for (const revealed of [['blue', 'green', 'black'], []]) {
    const played = scenes.before(state(2, decided(2, 0, [{ ...TUNNEL, revealed, extra: 0 }, { event: 'claim' }])))!;
    await pass(750 * (revealed.length + 1));
    expect(scenes.tunnel).toMatchObject({ told: true, scene: { extra: 0, counting: [] } });
    await pass(1_500);
    await played;
  }
});

test('a display that is swept away is on stage with its cards, before the new ones are shown', async () => {
  const cards = ['locomotive', 'red', 'locomotive', 'locomotive', 'blue'];
  const played = scenes.before(state(2, decided(2, 1, [{ event: 'flush', cards }])))!;
  expect(scenes.flush).toEqual({ kind: 'flush', cards });
  await pass(1_700);
  expect(scenes.flush).not.toBeNull();
  await pass(200);
  await played;
  expect(scenes.flush).toBeNull();
});

test('a press goes on at once, and without a pace nothing is played', async () => {
  const played = scenes.before(state(2, decided(2, 1, [TUNNEL])))!;
  scenes.skip();
  await played;
  expect(scenes.tunnel).toBeNull();
  pace = 0;
  expect(scenes.before(state(2, decided(2, 1, [TUNNEL])))).toBeNull();
});

test('cards fly to whoever took them, unless nothing may move', () => {
  const taken = state(2, decided(2, 1, [{ event: 'take', player: 1, place: 3, card: 'red' }]));
  scenes.after(taken, 1);
  expect(scenes.flights).toMatchObject([{ seat: 1, card: 'red', place: 3 }]);
  scenes.landed(scenes.flights[0]!.id);
  expect(scenes.flights).toEqual([]);
  still = true;
  scenes.after(taken, 1);
  expect(scenes.flights).toEqual([]);
});

test('the state that follows is shown after the scene, and at once when it has to be', async () => {
  const shown: number[] = [];
  const pacer = new Pacer(
    () => pace,
    (one) => shown.push(one.number),
    (one) => scenes.before(one),
    () => scenes.skip(),
  );
  pacer.add(state(2, decided(2, 1, [TUNNEL])));
  pacer.add(state(3));
  expect(shown).toEqual([]);
  await pass(750 * 4 + 1_500);
  expect(shown).toEqual([2]);
  await pass(800);
  expect(shown).toEqual([2, 3]);
  pacer.add(state(4, decided(4, 1, [TUNNEL])));
  expect(shown).toEqual([2, 3]);
  pacer.flush();
  expect(shown).toEqual([2, 3, 4]);
  await pass(0);
  expect(scenes.tunnel, 'the price is on the table: the scene that leads to it has ended').toBeNull();
  await pass(10_000);
  expect(shown).toEqual([2, 3, 4]);
});

test('who took which card is known until my next decision', () => {
  const entries = [
    decided(2, 0, [{ event: 'take', player: 0, place: 0, card: 'blue' }]),
    decided(3, 1, [{ event: 'take', player: 1, place: 0, card: 'red' }]),
    decided(4, 1, [{ event: 'draw', player: 1, card: null }]),
    decided(5, 2, [{ event: 'draw', player: 2, card: null }]),
  ] as unknown as State['entries'];
  expect([...takenSince(entries, 2, 0)]).toEqual([
    [1, ['red', null]],
    [2, [null]],
  ]);
  expect([...takenSince(entries, 4, 0)]).toEqual([[2, [null]]]);
});
