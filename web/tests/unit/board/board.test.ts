// @vitest-environment node
// Components are drawn as on a server, to text: there is no page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from 'svelte/server';
import { describe, expect, test } from 'vitest';
import Board from '../../../src/board/Board.svelte';
import { badgeBox, badgePlace } from '../../../src/board/drawing/badges.ts';
import { enlargement, plates, shortened } from '../../../src/board/drawing/plates.ts';
import { halves, markPlace, middleOf, pathThrough, rowLine, rowPath } from '../../../src/board/drawing/rows.ts';
import { turned } from '../../../src/board/drawing/quarter_turn.ts';
import { HitTest } from '../../../src/board/input/hit_test.ts';
import { neighbour } from '../../../src/board/input/navigation.ts';
import { contentOf, type Box, type Picture } from '../../../src/board/picture.ts';
import { Pane } from '../../../src/board/zoom/pane.svelte.ts';
import { fit, frameOf } from '../../../src/board/zoom/view.ts';
import { layoutOf } from '../../../src/table/layout.ts';

const folder = join(import.meta.dirname, '../../../../src/ferrovia/drawing/pictures');
/** The boards that come with the game, as they are drawn. */
const printed = readdirSync(folder).map((file): Picture => JSON.parse(readFileSync(join(folder, file), 'utf8')));

const space = (x: number, y: number, angle = 0) => ({ x, y, angle, width: 23, height: 11 });

const picture: Picture = {
  version: 1,
  id: 'small',
  width: 400,
  height: 300,
  map: { x: 10, y: 10, w: 380, h: 280 },
  city: 7.5,
  letter: 13.5,
  land: 'M10,10l300,0l0,200z',
  lakes: '',
  graticule: '',
  ranges: '',
  peaks: [],
  waters: [],
  routes: [
    {
      id: 'a-b',
      a: 'a',
      b: 'b',
      length: 3,
      color: 'red',
      tunnel: false,
      ferry: [],
      line: 'M60,60l200,0',
      spaces: [space(120, 53), space(150, 53), space(180, 53)],
    },
    {
      id: 'a-b-2',
      a: 'a',
      b: 'b',
      length: 3,
      color: 'gray',
      tunnel: true,
      ferry: [],
      line: 'M60,60l200,0',
      spaces: [space(120, 67), space(150, 67), space(180, 67)],
    },
    {
      id: 'b-c',
      a: 'b',
      b: 'c',
      length: 1,
      color: 'gray',
      tunnel: false,
      ferry: [0],
      line: 'M260,60l0,160',
      spaces: [space(260, 140, 90)],
    },
  ],
  cities: [
    { id: 'a', name: 'Ah', x: 60, y: 60, big: true, label: { x: 45, y: 30, w: 30, h: 16.5 } },
    { id: 'b', name: 'București', x: 260, y: 60, big: false, label: { x: 272, y: 50, w: 70, h: 16.5 } },
    {
      id: 'c',
      name: 'Zürich',
      x: 260,
      y: 220,
      big: false,
      label: { x: 272, y: 240, w: 50, h: 16.5, leader: [280, 244] },
    },
  ],
};

describe('rows', () => {
  test('a line runs from the first edge of a row to the last', () => {
    const line = rowLine(picture.routes[0]!);
    expect(line[0]).toEqual({ x: 108.5, y: 53 });
    expect(line.at(-1)).toEqual({ x: 191.5, y: 53 });
    expect(rowPath(picture.routes[2]!)).toBe('M260 128.5L260 140L260 151.5');
    expect(rowPath(picture.routes[2]!, 4)).toBe('M260 132.5L260 140L260 147.5');
  });

  test('a line from city to city goes straight on, whichever way round the route is written', () => {
    const lone = { ...picture.routes[2]!, spaces: [space(260, 140, 90)] };
    const [north, south] = [
      { x: 260, y: 60 },
      { x: 260, y: 220 },
    ];
    expect(pathThrough(lone, north, south)).toBe('M260 60L260 128.5L260 140L260 151.5L260 220');
    expect(pathThrough(lone, south, north)).toBe('M260 220L260 151.5L260 140L260 128.5L260 60');
  });

  test('the nearest is under the finger', () => {
    const hits = new HitTest(picture);
    const boxes = plates(picture, 1);
    expect(hits.at({ x: 150, y: 50 }, 5, boxes)).toEqual({ kind: 'route', id: 'a-b' });
    expect(hits.at({ x: 150, y: 71 }, 5, boxes)).toEqual({ kind: 'route', id: 'a-b-2' });
    expect(hits.at({ x: 150, y: 85 }, 40, boxes)).toEqual({ kind: 'route', id: 'a-b-2' });
    expect(hits.at({ x: 62, y: 62 }, 5, boxes)).toEqual({ kind: 'city', id: 'a' });
    expect(hits.at({ x: 300, y: 58 }, 5, boxes)).toEqual({ kind: 'city', id: 'b' });
    expect(hits.at({ x: 100, y: 250 }, 20, boxes)).toBeNull();
  });

  test('what is wanted goes before what is nearer', () => {
    const hits = new HitTest(picture);
    const boxes = plates(picture, 1);
    expect(hits.at({ x: 150, y: 58 }, 20, boxes, new Set(['a-b-2']))).toEqual({ kind: 'route', id: 'a-b-2' });
    expect(hits.at({ x: 150, y: 50 }, 5, boxes, new Set(['a-b-2']))).toEqual({ kind: 'route', id: 'a-b' });
    const { x, y } = picture.cities.find(({ id }) => id === 'a')!;
    expect(hits.at({ x, y }, 200, boxes, new Set(['a-b'])), 'a city that is hit itself').toEqual({
      kind: 'city',
      id: 'a',
    });
  });

  test.each([
    { quarter: true, width: 390, height: 844 },
    { quarter: false, width: 390, height: 844 },
    { quarter: false, width: 844, height: 390 },
  ])('fingers on a phone hit the payable route that they aim at: %o', ({ quarter, width, height }) => {
    const europe = printed.find(({ id }) => id === 'europe')!;
    const drawn = quarter ? turned(europe) : europe;
    const hits = new HitTest(drawn);
    const content = contentOf(drawn);
    const { insets } = layoutOf(width, height, content.w / content.h);
    const scale = fit(frameOf({ width, height }, insets, content));
    const boxes = plates(drawn, enlargement(scale, 16, 9), 16);
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const spread = () => 8 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    let [taps, wrong] = [0, 0];
    for (let game = 0; game < 20; game++) {
      const open = new Set(drawn.routes.filter(() => random() < 0.12).map(({ id }) => id)); // what a hand can buy in the middle of a game
      for (const route of drawn.routes.filter(({ id }) => open.has(id))) {
        const middle = middleOf(route);
        const at = { x: middle.x + spread() / scale, y: middle.y + spread() / scale };
        const hit = hits.at(at, 18 / scale, boxes, open);
        taps += 1;
        wrong += Number(hit?.kind === 'route' && hit.id !== route.id && open.has(hit.id));
      }
    }
    expect(wrong / taps).toBeLessThan(0.1);
  });

  test('arrows lead to the next in their direction', () => {
    expect(neighbour('ArrowRight', { x: 60, y: 60 }, picture.cities)).toBe('b');
    expect(neighbour('ArrowDown', { x: 260, y: 60 }, picture.cities)).toBe('c');
    expect(neighbour('ArrowUp', { x: 60, y: 60 }, picture.cities)).toBeNull();
    expect(neighbour('Enter', { x: 60, y: 60 }, picture.cities)).toBeNull();
  });
});

describe('plates', () => {
  const apart = (one: Box, two: Box) =>
    one.x >= two.x + two.w || two.x >= one.x + one.w || one.y >= two.y + two.h || two.y >= one.y + one.h;

  const common = (one: Box, two: Box) =>
    Math.max(0, Math.min(one.x + one.w, two.x + two.w) - Math.max(one.x, two.x)) *
    Math.max(0, Math.min(one.y + one.h, two.y + two.h) - Math.max(one.y, two.y));

  test('letters are enlarged no more than needed to be read', () => {
    expect(enlargement(1, 16, 9)).toBe(1);
    const by = enlargement(0.26, 16, 9);
    expect(16 * 0.26 * by).toBeGreaterThanOrEqual(9);
    expect(16 * 0.26 * by).toBeLessThan(10);
    expect(enlargement(1e-6, 16, 9)).toBeLessThan(5);
  });

  test('not enlarged, names stand where the layout put them', () => {
    for (const city of picture.cities)
      expect(plates(picture, 1).get(city.id)).toEqual({ ...city.label, text: city.name });
  });

  test('a shorter form keeps the beginning of each word', () => {
    expect(shortened('Constantinople', 4)).toBe('Cons.');
    expect(shortened('San Francisco', 4)).toBe('S.Fran.');
    expect(shortened('Salt Lake City', 3)).toBe('S.L.City');
    expect(shortened('Roma', 4)).toBe('Roma');
  });

  // Pixels for a unit on a phone, upright and laid down, and on a tablet.
  describe.each(printed.flatMap((board) => [board, turned(board)]))('$id', (board) => {
    test.each([0.27, 0.32, 0.4, 0.5])(
      'every city is named at %d, no name lies over another, none means two cities',
      (scale) => {
        const shown = plates(board, enlargement(scale, 16, 9));
        expect(shown.size).toBe(board.cities.length);
        const all = [...shown.values()];
        const { x, y, w, h } = contentOf(board);
        for (const [i, one] of all.entries()) {
          expect(one.x).toBeGreaterThanOrEqual(x - 1e-6);
          expect(one.y + one.h).toBeLessThanOrEqual(y + h + 1e-6);
          expect(one.x + one.w).toBeLessThanOrEqual(x + w + 1e-6);
          for (const two of all.slice(i + 1)) expect(apart(one, two), `${one.text} ${two.text}`).toBe(true);
        }
        expect(new Set(all.map((one) => one.text)).size).toBe(all.length);
      },
    );

    test.each([0.27, 0.32, 0.4, 0.5])('a badge covers no name at %d, and stands on the part that is seen', (scale) => {
      const by = enlargement(scale, 16, 9);
      const [shown, sheet, pin] = [plates(board, by), contentOf(board), 14 / (11 * scale)];
      const badges = { count: 1, off: board.city * Math.min(by, 2.2) * 0.75 + 4 * pin, pin };
      for (const city of board.cities) {
        const box = badgeBox(badgePlace(city, badges, shown.values(), sheet), badges);
        for (const name of shown.values())
          expect(common(box, name), `${city.id} ${name.text}`).toBeLessThan(0.15 * name.w * name.h);
        expect(common(box, sheet), city.id).toBeGreaterThan(0.85 * box.w * box.h);
      }
    });
  });
});

describe('a board turned by a quarter', () => {
  const [europe] = printed.filter((board) => board.id === 'europe');
  const quarter = turned(europe!);

  test('has everything at its place, west up, and stands nothing on its head', () => {
    expect([quarter.width, quarter.height]).toEqual([europe!.height, europe!.width]);
    const place = (board: Picture, id: string) => board.cities.find((city) => city.id === id)!;
    expect(place(quarter, 'lisboa').y).toBeLessThan(place(quarter, 'moskva').y);
    expect(place(quarter, 'edinburgh').x).toBeGreaterThan(place(quarter, 'cadiz').x);
    for (const route of quarter.routes)
      for (const { angle } of route.spaces) expect(Math.abs(angle)).toBeLessThanOrEqual(90);
    const { x, y, w, h } = quarter.map;
    for (const city of quarter.cities) {
      expect(city.x > x && city.x < x + w && city.y > y && city.y < y + h).toBe(true);
    }
  });

  test('is larger on an upright phone', () => {
    const fit = ({ w, h }: Box) => Math.min(348 / w, 480 / h);
    expect(fit(contentOf(quarter)) / fit(contentOf(europe!))).toBeGreaterThan(1.2);
  });
});

describe('from afar', () => {
  test('one mark stands for a route, those of a double beside each other', () => {
    const both = halves(picture.routes);
    expect([...both]).toEqual([
      ['a-b', -1],
      ['a-b-2', 1],
    ]);
    const [one, two] = [markPlace(picture.routes[0]!, -1, 18), markPlace(picture.routes[1]!, 1, 18)];
    expect(two.x - one.x).toBeGreaterThan(30);
    expect(markPlace(picture.routes[2]!, 0, 18)).toEqual({ x: 260, y: 140 });
  });
});

describe('the drawing', () => {
  const html = (props: Record<string, unknown> = {}): string =>
    render(Board, { props: { picture, playerColors: ['blue', 'yellow'], ...props } }).body;
  const count = (text: string, part: RegExp): number => [...text.matchAll(part)].length;
  /** How many shapes the path of a class has: each begins with an M. */
  const shapes = (text: string, name: string): number =>
    count([...text.matchAll(new RegExp(`class="${name}[^>]* d="([^"]*)"`, 'g'))].map(([, d]) => d).join(''), /M/g);

  test('every route and city can be reached and says what it is', () => {
    const body = html();
    expect(count(body, /data-route="/g)).toBe(3);
    expect(count(body, /data-city="/g)).toBe(3);
    expect(body).toContain('aria-label="Ah – București, 3, red"');
    expect(body).toContain('aria-label="București – Zürich, 1, gray, ferry 1"');
    expect(count(body, /role="button"[^>]*tabindex="0"/g)).toBe(2);
  });

  test('texts come from outside', () => {
    const body = html({ describe: (id: string) => `ruta ${id}`, describeCity: (id: string) => `oraș ${id}` });
    expect(body).toContain('aria-label="ruta a-b"');
    expect(body).toContain('aria-label="oraș c"');
  });

  test('free spaces, tunnels and ferries are told apart', () => {
    const body = html();
    expect(count(body, /class="space[ "]/g)).toBe(7);
    expect(count(body, /class="space portal/g)).toBe(3);
    expect(count(body, /class="locomotive/g)).toBe(1);
    expect(shapes(body, 'arch')).toBe(6);
    expect(shapes(body, 'inner')).toBe(3);
    expect(shapes(body, 'symbol')).toBe(3);
  });

  test('claimed routes carry carriages, cities stations and marks', () => {
    const body = html({
      owners: { 'a-b': 1 },
      stations: { c: 0 },
      marks: {
        a: [{ letter: 'A', state: 'done' }],
        b: [
          { letter: 'A', state: 'done' },
          { letter: 'B', state: 'offered' },
        ],
      },
      open: new Set(['b-c']),
      closed: new Set(['a-b-2']),
      big: new Set(['b']),
      path: new Set(['a-b']),
      selected: 'b-c',
      buildable: new Set(['b']),
    });
    expect(shapes(body, 'carriage')).toBe(3);
    expect(count(body, /class="space[ "]/g)).toBe(4);
    expect(body).toMatch(/data-route="a-b" data-owner="1"/);
    expect(count(body, /class="station/g)).toBe(1);
    expect(count(body, /class="site/g)).toBe(1);
    expect(count(body, /class="badge done/g)).toBe(2);
    expect(count(body, /class="badge offered/g)).toBe(1);
    expect(body).toMatch(/data-city="b"[^>]*data-mark="A B"/);
    expect(count(body, /class="space closed/g)).toBe(3);
    expect(count(body, /class="space portal/g)).toBe(0);
    expect(count(body, /<g class="[^"]*\bbig\b/g)).toBe(1);
    expect(count(body, /class="band open/g)).toBe(1);
    expect(count(body, /class="band chosen/g)).toBe(1);
    expect(count(body, /class="band path /g)).toBe(1);
    expect(body).toMatch(/data-route="b-c"[^>]*aria-pressed="true"/);
  });

  test('every train has the mark of its owner, the first and the last among them, and no colour of the route is left', () => {
    const body = html({ owners: { 'a-b': 1 } });
    const trains = body.slice(body.indexOf('class="shadow'));
    const [, across, digits] = /class="digit[^>]* x="([^"]*)"[^>]*>(\d+)</.exec(trains)!;
    expect(across!.trim().split(' ').map(Number)).toEqual([120, 180]);
    expect(digits).toBe('22');
    // A number on every car is there for those who ask for it.
    expect(/class="digit between[^>]*>(\d+)</.exec(trains)![1]).toBe(
      '2'.repeat(picture.routes.find(({ id }) => id === 'a-b')!.spaces.length - 2),
    );
    expect(count(body, /--board-space-red/g)).toBe(0);
  });

  test('the paper has land, sea, waterlines and a graticule, and a name that stands away is joined to its city', () => {
    const body = html({ picture: { ...picture, graticule: 'M0,50l400,0' } });
    for (const part of ['sea', 'waterline', 'land', 'graticule'])
      expect(body, part).toMatch(new RegExp(`class="[^"]*\\b${part}`));
    expect(count(body, /class="leader/g)).toBe(1);
  });

  test('from afar, every route keeps its symbol and every claimed one its owner', () => {
    const pane = new Pane();
    [pane.wide, pane.high, pane.content] = [120, 90, contentOf(picture)];
    const body = html({ pane, owners: { 'a-b': 1 } });
    expect(count(body, /class="owner[^"]*" d="M/g)).toBe(1);
    expect(count(body, /class="symbol far/g)).toBe(1); // the ferry; gray has no symbol
    expect(count(html({ pane }), /class="symbol far/g)).toBe(2);
    expect(count(body, /data-name="/g)).toBe(3);
  });

  test('a badge stands where it covers no name, neither its own nor another', () => {
    const badge = (body: string) =>
      /class="badge open[^"]*" transform="translate\(([\d.]+) ([\d.]+)\)/.exec(body)!.slice(1).map(Number) as [
        number,
        number,
      ];
    const marks = { b: [{ letter: 'A', state: 'open' }] };
    const [x, y] = badge(html({ marks })); // its own name stands at the right
    expect([x < 260 || y < 50, y < 60]).toEqual([true, true]);
    // The names of others above it: it moves below.
    const above = picture.cities.map((city) =>
      city.id === 'a' ? { ...city, label: { x: 220, y: 38, w: 80, h: 16 } } : city,
    );
    expect(badge(html({ marks, picture: { ...picture, cities: above } }))[1]).toBeGreaterThan(60);
  });

  test('names are only text', () => {
    const [first, ...rest] = picture.cities;
    const body = html({ picture: { ...picture, cities: [{ ...first, name: '<script>x</script>' }, ...rest] } });
    expect(body).not.toContain('<script>x');
  });
});
