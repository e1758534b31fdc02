/** A phone at a table for the room: its list of routes, its cuts of the map, its layout. */
import { describe, expect, test } from 'vitest';
import { contentOf, cutOf, type Picture } from '../../src/board/picture.ts';
import { frameOf, showing, toScreen } from '../../src/board/zoom/view.ts';
import { Edition } from '../../src/lib/edition.ts';
import { parseMoves } from '../../src/lib/moves.ts';
import { cheapestWays } from '../../src/lib/paths.ts';
import type { TableModel } from '../../src/lib/table.svelte.ts';
import type { EditionDocument, RouteFact } from '../../src/protocol.gen.ts';
import { lacking, routeList } from '../../src/table/route_list/route_list.ts';
import { layoutInHand, layoutOf } from '../../src/table/layout.ts';
import { tabAfter } from '../../src/ui/tabs.ts';

const route = (id: string, length: number, color: string): RouteFact => {
  const [a, b] = id.split('-') as [string, string];
  return { id, a, b, length, color, ferry: 0, tunnel: false } as RouteFact;
};
const routes = [
  route('a-b', 2, 'red'),
  route('b-c', 2, 'blue'),
  route('c-d', 1, 'green'),
  route('d-e', 3, 'gray'),
  route('a-e', 4, 'black'),
];
const edition = new Edition({
  board: 'line',
  cities: [...'abcde'].map((id) => ({ id, name: id.toUpperCase() })),
  routes,
  tickets: [],
  in_play: [
    { id: 'a/c', a: 'a', b: 'c', points: 5 },
    { id: 'c/e', a: 'c', b: 'e', points: 6 },
    { id: 'a/b', a: 'a', b: 'b', points: 2 },
  ],
  edition: { route_points: {}, player_colors: [] },
} as unknown as EditionDocument);

const ways = new Map(
  ['a/c', 'c/e'].map((id) => {
    const { a, b } = edition.tickets.get(id)!;
    return [id, cheapestWays(a, b, routes)];
  }),
);

function model(
  actions: readonly string[],
  barred: Record<string, string> = {},
  owners: Record<string, number> = {},
): TableModel {
  const tickets = [
    { id: 'a/b', done: true },
    { id: 'a/c', done: false },
    { id: 'c/e', done: false },
  ];
  return {
    edition,
    owners,
    barred,
    moves: parseMoves(actions),
    own: { hand: { blue: 2, red: 1, green: 1 }, tickets },
  } as unknown as TableModel;
}

describe('the list of routes', () => {
  const actions = ['claim b-c blue blue', 'claim c-d green', 'draw'];
  const payable = new Set(['b-c', 'c-d']);

  test('is by ticket, open ones first, and what can be paid before what cannot', () => {
    const { tickets, others } = routeList(model(actions, { 'claim a-b': 'too_few_cards' }), ways, payable);
    expect(tickets.map(({ id }) => id)).toEqual(['a/c', 'c/e', 'a/b']);
    expect(tickets.map(({ routes: listed }) => listed.map((one) => one.route.id))).toEqual([
      ['b-c', 'a-b'],
      ['c-d', 'd-e'],
      [],
    ]);
    expect(others).toEqual([]);
    const [claim, dear] = tickets[0]!.routes;
    expect(claim!.payments[0]!.cards).toEqual(['blue', 'blue']);
    expect(claim!.reason).toBeNull();
    expect(dear!.payments).toEqual([]);
    expect(dear!.reason).toBe('too_few_cards');
  });

  test('has what leads to no ticket apart, and nothing that is claimed', () => {
    const { tickets, others } = routeList(
      model(['claim a-e black black black black'], {}, { 'b-c': 1 }),
      ways,
      new Set(['a-e']),
    );
    expect(tickets[0]!.routes.map((one) => one.route.id)).toEqual(['a-b']);
    expect(others.map((one) => one.route.id)).toEqual(['a-e']);
  });

  test('keeps its order and says what is missing while others play', () => {
    const { tickets } = routeList(model([]), ways, payable);
    expect(tickets[0]!.routes.map((one) => one.route.id)).toEqual(['b-c', 'a-b']);
    expect(tickets[0]!.routes.map((one) => lacking(one.missing))).toEqual([0, 1]);
    expect(tickets[0]!.routes.every((one) => one.reason === null && one.payments.length === 0)).toBe(true);
  });

  test('counts locomotives for what they can stand in', () => {
    expect(lacking({ colors: { red: 2 }, gray: [1], locomotives: 0, spare: 2 })).toBe(1);
    expect(lacking({ colors: {}, gray: [], locomotives: 2, spare: 0 })).toBe(2);
  });
});

describe('a cut of the map', () => {
  const picture = {
    city: 5,
    width: 2000,
    height: 1000,
    cities: [
      ['a', 100, 100],
      ['b', 300, 120],
      ['c', 1900, 900],
    ].map(([id, x, y]) => ({ id, x, y, label: { x: Number(x) + 6, y: Number(y), w: 60, h: 16 } })),
    routes: [
      { id: 'a-b', a: 'a', b: 'b', spaces: [{ x: 180, y: 110, angle: 0, width: 30, height: 10 }] },
      { id: 'b-c', a: 'b', b: 'c', spaces: [] },
    ],
  } as unknown as Picture;

  test('has its routes and cities with their names, and a little around them', () => {
    const cut = cutOf(picture, new Set(['a-b']));
    expect(cut.x).toBeLessThan(95);
    expect(cut.x + cut.w).toBeGreaterThan(366);
    expect(cut.x + cut.w).toBeLessThan(500);
    expect(cutOf(picture, new Set(), ['c']).x).toBeGreaterThan(1500);
    expect(cutOf(picture, new Set())).toEqual(contentOf(picture));
  });

  test('fills what is free of the window', () => {
    const frame = frameOf(
      { width: 360, height: 740 },
      { top: 100, right: 0, bottom: 240, left: 0 },
      contentOf(picture),
    );
    const cut = cutOf(picture, new Set(['a-b']));
    const view = showing(cut, frame);
    const [from, to] = [toScreen(view, { x: 92, y: 92 }, frame), toScreen(view, { x: 366, y: 136 }, frame)]; // both cities with their names
    expect(view.zoom).toBeGreaterThan(3);
    expect(from.x).toBeGreaterThanOrEqual(-1);
    expect(to.x).toBeLessThanOrEqual(361);
    expect(from.y).toBeGreaterThanOrEqual(99);
    expect(to.y).toBeLessThanOrEqual(501);
  });
});

test.each([
  [360, 740, 1],
  [390, 844, 1],
  [360, 740, 1.5],
  [320, 568, 1],
  [740, 360, 1],
  [844, 390, 1.5],
] as const)('the list has its room at %d × %d with text × %d', (width, height, text) => {
  const layout = layoutInHand(width, height, text);
  expect(layout.small).toBe(true);
  const [high, wide] = [height - layout.head - layout.foot, width - layout.side];
  expect(high * wide).toBeGreaterThan(width * height * 0.38);
  expect(layout.foot).toBeGreaterThanOrEqual(layoutOf(width, height, 1, text).foot);
});

test('keys lead from tab to tab, and round', () => {
  const tabs = ['one', 'two', 'three'];
  expect(['ArrowRight', 'ArrowLeft', 'Home', 'End', 'x'].map((key) => tabAfter(key, tabs, 'one'))).toEqual([
    'two',
    'three',
    'one',
    'three',
    undefined,
  ]);
  expect(tabAfter('ArrowRight', tabs, 'three')).toBe('one');
});
