// @vitest-environment node
// Components are drawn as on a server, to text: there is no page.
import { render } from 'svelte/server';
import { describe, expect, test } from 'vitest';
import Board from '../../src/board/Board.svelte';
import { enlargement, plates } from '../../src/board/drawing/plates.ts';
import { rowLine, rowPath } from '../../src/board/drawing/rows.ts';
import { HitTest } from '../../src/board/input/hit_test.ts';
import { neighbour } from '../../src/board/input/navigation.ts';
import type { Picture } from '../../src/board/picture.ts';

const space = (x: number, y: number, angle = 0) => ({ x, y, angle, width: 23, height: 11 });

const picture: Picture = {
  version: 1, id: 'small', width: 400, height: 300, map: { x: 10, y: 10, w: 380, h: 280 }, city: 7.5, letter: 13.5,
  land: 'M10,10l300,0l0,200z', lakes: '', graticule: '',
  routes: [
    { id: 'a-b', a: 'a', b: 'b', length: 3, color: 'red', tunnel: false, ferry: [], line: 'M60,60l200,0', spaces: [space(120, 53), space(150, 53), space(180, 53)] },
    { id: 'a-b-2', a: 'a', b: 'b', length: 3, color: 'gray', tunnel: true, ferry: [], line: 'M60,60l200,0', spaces: [space(120, 67), space(150, 67), space(180, 67)] },
    { id: 'b-c', a: 'b', b: 'c', length: 1, color: 'gray', tunnel: false, ferry: [0], line: 'M260,60l0,160', spaces: [space(260, 140, 90)] },
  ],
  cities: [
    { id: 'a', name: 'Ah', x: 60, y: 60, big: true, label: { x: 45, y: 30, w: 30, h: 16.5 } },
    { id: 'b', name: 'București', x: 260, y: 60, big: false, label: { x: 272, y: 50, w: 70, h: 16.5 } },
    { id: 'c', name: 'Zürich', x: 260, y: 220, big: false, label: { x: 272, y: 240, w: 50, h: 16.5, leader: [280, 244] } },
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

  test('the nearest is under the finger', () => {
    const hits = new HitTest(picture);
    const boxes = plates(picture, 1, new Set());
    expect(hits.at({ x: 150, y: 50 }, 5, boxes)).toEqual({ kind: 'route', id: 'a-b' });
    expect(hits.at({ x: 150, y: 71 }, 5, boxes)).toEqual({ kind: 'route', id: 'a-b-2' });
    expect(hits.at({ x: 150, y: 85 }, 40, boxes)).toEqual({ kind: 'route', id: 'a-b-2' });
    expect(hits.at({ x: 62, y: 62 }, 5, boxes)).toEqual({ kind: 'city', id: 'a' });
    expect(hits.at({ x: 300, y: 58 }, 5, boxes)).toEqual({ kind: 'city', id: 'b' });
    expect(hits.at({ x: 100, y: 250 }, 20, boxes)).toBeNull();
  });

  test('arrows lead to the next in their direction', () => {
    expect(neighbour('ArrowRight', { x: 60, y: 60 }, picture.cities)).toBe('b');
    expect(neighbour('ArrowDown', { x: 260, y: 60 }, picture.cities)).toBe('c');
    expect(neighbour('ArrowUp', { x: 60, y: 60 }, picture.cities)).toBeNull();
    expect(neighbour('Enter', { x: 60, y: 60 }, picture.cities)).toBeNull();
  });
});

describe('plates', () => {
  test('letters are enlarged no more than needed to be read', () => {
    expect(enlargement(1, 16, 9.5)).toBe(1);
    const by = enlargement(0.26, 16, 9.5);
    expect(16 * 0.26 * by).toBeGreaterThanOrEqual(9.5);
    expect(16 * 0.26 * by).toBeLessThan(10.5);
  });

  test('not enlarged, names stand where the layout put them', () => {
    for (const city of picture.cities) expect(plates(picture, 1, new Set()).get(city.id)).toEqual(city.label);
  });

  test('a larger name keeps clear of what is taken', () => {
    const [free] = [...plates(picture, 1.5, new Set(['b'])).entries()].filter(([id]) => id === 'b');
    const taken = free![1];
    const moved = plates(picture, 1.5, new Set(['b']), new Set(), 1, [taken]).get('b')!;
    const apart = moved.x >= taken.x + taken.w || moved.x + moved.w <= taken.x || moved.y >= taken.y + taken.h || moved.y + moved.h <= taken.y;
    expect(apart).toBe(true);
  });

  test('enlarged, they keep inside the map and off each other and the spaces; the wanted are shown', () => {
    const crowd: Picture = {
      ...picture,
      cities: Array.from({ length: 30 }, (_, n) => ({
        id: `c${n}`, name: `City ${n}`, x: 40 + (n % 6) * 60, y: 40 + Math.floor(n / 6) * 50, big: n % 7 === 0,
        label: { x: 50 + (n % 6) * 60, y: 32 + Math.floor(n / 6) * 50, w: 45, h: 16.5 },
      })),
    };
    const shown = plates(crowd, 2.25, new Set(['c3']));
    expect(shown.has('c3')).toBe(true);
    expect(shown.size).toBeGreaterThan(3);
    expect(shown.size).toBeLessThan(30);
    const boxes = [...shown.values()];
    for (const [i, one] of boxes.entries()) {
      expect(one.x).toBeGreaterThanOrEqual(10);
      expect(one.x + one.w).toBeLessThanOrEqual(390);
      for (const two of boxes.slice(i + 1)) {
        expect(one.x < two.x + two.w && two.x < one.x + one.w && one.y < two.y + two.h && two.y < one.y + one.h).toBe(false);
      }
    }
    for (const [id, box] of shown) {
      if (id === 'c3') continue;
      for (const { x, y } of crowd.routes.flatMap((route) => route.spaces)) {
        expect(x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h).toBe(false);
      }
    }
  });
});

describe('the drawing', () => {
  const html = (props: Record<string, unknown> = {}): string =>
    render(Board, { props: { picture, playerColors: ['blue', 'yellow'], ...props } }).body;
  const count = (text: string, part: RegExp): number => [...text.matchAll(part)].length;

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
    expect(count(body, /class="symbol/g)).toBe(3);
  });

  test('claimed routes carry carriages, cities stations and marks', () => {
    const body = html({
      owners: { 'a-b': 1 }, stations: { c: 0 }, marks: { a: 'done', b: 'open' }, open: new Set(['b-c']),
      path: new Set(['a-b']), selected: 'b-c', buildable: new Set(['b']),
    });
    expect(count(body, /class="carriage/g)).toBe(3);
    expect(count(body, /class="space[ "]/g)).toBe(4);
    expect(body).toMatch(/data-route="a-b" data-owner="1"/);
    expect(count(body, /class="station/g)).toBe(1);
    expect(count(body, /class="site/g)).toBe(1);
    expect(count(body, /class="badge (done|open)/g)).toBe(2);
    expect(count(body, /class="band open/g)).toBe(1);
    expect(count(body, /class="band chosen/g)).toBe(1);
    expect(count(body, /class="band path /g)).toBe(1);
    expect(body).toMatch(/data-route="b-c"[^>]*aria-pressed="true"/);
  });

  test('names are only text', () => {
    const [first, ...rest] = picture.cities;
    const body = html({ picture: { ...picture, cities: [{ ...first, name: '<script>x</script>' }, ...rest] } });
    expect(body).not.toContain('<script>x');
  });
});
