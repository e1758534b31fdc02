// @vitest-environment node
// Cards, tickets and type as they are printed: components are drawn to text, there is no page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from 'svelte/server';
import { describe, expect, test } from 'vitest';
import { SYMBOLS } from '../../src/drawing.gen.ts';
import { CARDS, Edition } from '../../src/lib/edition.ts';
import type { EditionDocument } from '../../src/protocol.gen.ts';
import Card from '../../src/ui/Card.svelte';
import Ticket from '../../src/ui/Ticket.svelte';
import { catalogues } from '../support/catalogues.ts';

const count = (text: string, part: RegExp): number => [...text.matchAll(part)].length;

describe('a card', () => {
  const html = (card: string | null) => render(Card, { props: { card } }).body;
  const colors = CARDS.filter((card) => card !== 'locomotive');

  test.each(colors)('of %s has its colour and its symbol', (color) => {
    expect(html(color)).toContain(`var(--card-${color})`);
    expect(html(color)).toContain(SYMBOLS[color]!);
  });

  test('that is a locomotive shows all colours in a band, each with its symbol', () => {
    const locomotive = html('locomotive');
    expect([...locomotive.matchAll(/data-band="(\w+)"/g)].map(([, color]) => color).sort()).toEqual([...colors].sort());
    for (const color of colors) expect(locomotive, color).toContain(SYMBOLS[color]!);
    expect(locomotive).toContain(SYMBOLS['locomotive']!);
  });

  test('face down tells nothing', () => {
    expect(html(null)).not.toMatch(/--card-\w+\)/);
  });
});

describe('a ticket', () => {
  const edition = new Edition({
    cities: [
      { id: 'a', name: 'Angora' },
      { id: 'b', name: 'København' },
    ],
    routes: [],
    tickets: [],
    in_play: [{ id: 'a-b', a: 'a', b: 'b', points: 12, long: false }],
    edition: {},
  } as unknown as EditionDocument);
  const html = (props: object = {}) => render(Ticket, { props: { edition, id: 'a-b', ...props } }).body;

  test('has two cities, a number and a value', () => {
    const body = html();
    for (const printed of ['Angora', 'København', '001', '12']) expect(body).toContain(printed);
  });

  test('that is completed is punched, and no other', () => {
    expect(count(html({ state: 'done' }), /class="hole/g)).toBe(1);
    for (const state of ['open', 'failed']) expect(count(html({ state }), /class="hole/g), state).toBe(0);
    expect(html({ state: 'done' })).toContain('completed');
  });

  test('that is held differs from one on offer, and says how many trains it needs', () => {
    expect(html({ offered: true, letter: 'C' })).toMatch(/class="ticket open[^"]* offered/);
    expect(html({ letter: 'A', needs: 7 })).toContain('7 trains to go');
    expect(html({ letter: 'A', needs: null })).toContain('no way left');
    expect(html({ letter: 'A' })).not.toContain('offered');
  });
});

test('both faces have every letter of the languages and of the cities', () => {
  const source = (path: string) => readFileSync(join(import.meta.dirname, '../../src', path), 'utf8');
  const pictures = join(import.meta.dirname, '../../../src/ferrovia/drawing/pictures');
  const cities = readdirSync(pictures).flatMap((file) =>
    (JSON.parse(readFileSync(join(pictures, file), 'utf8')) as { cities: { name: string }[] }).cities.map(
      (city) => city.name,
    ),
  );
  const texts = Object.values(catalogues).flatMap((one) => Object.values(one));
  const letters = new Set([...texts, ...cities].join('').match(/\p{L}/gu));
  expect(letters.has('ș') && letters.has('ø')).toBe(true);
  const faces = [
    ...source('styles/fonts.css').matchAll(
      /font-family: '([^']+)';\s+font-weight: (\d+);.*?unicode-range:\s+([^;]+);/gs,
    ),
  ];
  const names = new Set(faces.map(([, family, weight]) => `${family} ${weight}`));
  expect(names.size).toBeGreaterThanOrEqual(3);
  for (const face of names) {
    const own = faces.filter(([, family, weight]) => `${family} ${weight}` === face);
    const spans = own.flatMap(([, , , text]) =>
      text!.split(/,\s+/).map((range) =>
        range
          .slice(2)
          .split('-')
          .map((end) => parseInt(end, 16)),
      ),
    );
    const missing = [...letters].filter(
      (letter) => !spans.some(([from, to = from]) => letter.codePointAt(0)! >= from! && letter.codePointAt(0)! <= to!),
    );
    expect(missing, face).toEqual([]);
  }
});
