/** Motion is short, the accent of the turn is used for nothing else, figures and colours are of one kind: the sources say so. */
import { expect, test } from 'vitest';

const sources = import.meta.glob<string>('../../src/**/*.{svelte,css}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const lines = Object.entries(sources).flatMap(([path, text]) =>
  text.split('\n').map((line) => ({ path: path.replace(/.*src\//, ''), line: line.trim() })),
);

test('whatever moves takes 150 to 250 milliseconds', () => {
  const times = lines.flatMap(({ path, line }) =>
    [...line.matchAll(/(?:animation|transition):([^;]*)/g)].flatMap(([, value]) =>
      // The first time of each is how long it takes, the second how long it waits.
      value!
        .split(',')
        .flatMap((one) =>
          [...one.matchAll(/(?<![\w-])(\d+)ms/g)].slice(0, 1).map(([, time]) => ({ path, time: Number(time) })),
        ),
    ),
  );
  expect(times.length).toBeGreaterThan(3);
  expect(times.filter(({ time }) => time < 150 || time > 250)).toEqual([]);
});

test('the signal says whose turn it is, and nothing else', () => {
  const users = [...new Set(lines.flatMap(({ path, line }) => (/var\(--signal\b/.test(line) ? [path] : [])))].sort();
  expect(users).toEqual([
    // Who is to take the device, the tables where it is my turn, and the player whose turn it is in a film.
    'hotseat/Curtain.svelte',
    'my_tables/MyTables.svelte',
    'replay/panels/Seats.svelte',
    // The head, the player whose turn it is, twice, and the question that this player has to answer.
    'table/decision/Dock.svelte',
    'table/head/Header.svelte',
    'table/panels/Chips.svelte',
    'table/panels/Players.svelte',
  ]);
});

test('figures stand in columns: whatever is counted in a table has digits of one width', () => {
  const tables = Object.entries(sources).filter(([, text]) => text.includes('<table'));
  expect(tables.length).toBeGreaterThan(3);
  const plain = tables
    .filter(([, text]) => !/<table class="[^"]*figures|table \{[^}]*tabular-nums/.test(text))
    .map(([path]) => path);
  expect(plain).toEqual([]);
});

test('colours of the board are written in one file: everything else names them', () => {
  const written = lines.filter(
    ({ path, line }) =>
      /(?:fill|stroke|background|color)[:=]"?\s*(?:oklch|rgb|hsl|#[0-9a-f]{3})/i.test(line) &&
      /^(?:board|table)\//.test(path),
  );
  // Light and shade over whatever lies below are no colours of their own.
  expect(written.filter(({ line }) => !/oklch\([\d. ]+\/ [\d.]+\)/.test(line))).toEqual([]);
});

test('a change at the table styles what it changes: no rule leads to every element of a kind', () => {
  const selectors = lines.flatMap(({ path, line }) =>
    [...line.matchAll(/(?:^|[{}])\s*([^{}@]+?)\s*\{/g)].map(([, selector]) => ({ path, selector: selector! })),
  );
  const hasty = selectors.filter(({ selector }) => selector.includes(':has('));
  // Whatever a rule with :has() leads to is styled anew when anything changes there: spans and buttons are half of the page.
  expect(hasty.filter(({ selector }) => /\)\s+(?:.*[\s>+~])?[a-z]+$/.test(selector))).toEqual([]);
  // With this, whether it has a ::before is worked out for every shape of the map.
  expect(selectors.filter(({ selector }) => /(?:^|[\s,])\*?::?(?:before|after)/.test(selector))).toEqual([]);
  // The pieces of the board are left out where motion is stilled (base.css): they have none of CSS.
  expect(
    lines.filter(({ path, line }) => path.startsWith('board/drawing/') && /(?:animation|transition)[\w-]*:/.test(line)),
  ).toEqual([]);
});
