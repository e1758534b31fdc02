/** The palette, measured: distances for every kind of eye, contrast of everything that is read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLAYER_COLORS } from '../../../src/drawing.gen.ts';
import { catalogues } from '../../support/catalogues.ts';

type Triple = [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const css = readFileSync(join(import.meta.dirname, '../../../src/board/board.css'), 'utf8');
const [common = '', usa = ''] = css.split('/* The USA board');
const [day = '', night = ''] = common.split(":root[data-theme='dark']");
const [usaDay = '', usaNight = ''] = usa.split("[data-theme='dark']");
const light = tokens(day);
const dark = { ...light, ...tokens(night) };
const themes = {
  light,
  dark,
  'light, USA': { ...light, ...tokens(usaDay) },
  'dark, USA': { ...dark, ...tokens(usaDay), ...tokens(usaNight) },
};

function tokens(text: string): Record<string, Triple> {
  const found = text.matchAll(/--board-([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ [\d.]+)?\)/g);
  return Object.fromEntries([...found].map(([, name, l, c, h]) => [name, [Number(l), Number(c), Number(h)]]));
}

// OKLCH to linear sRGB and back to OKLab, after Björn Ottosson.
function linear([l, c, h]: Triple): Triple {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const [p, q, r] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  return [
    4.0767416621 * p - 3.3077115913 * q + 0.2309699292 * r,
    -1.2684380046 * p + 2.6097574011 * q - 0.3413193965 * r,
    -0.0041960863 * p - 0.7034186147 * q + 1.707614701 * r,
  ];
}

function oklab(rgb: Triple): Triple {
  const [p, q, r] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  ).map(Math.cbrt) as Triple;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [p, q, r],
  );
}

function times(matrix: Matrix, [x, y, z]: Triple): Triple {
  return matrix.map((row) => row[0] * x + row[1] * y + row[2] * z) as Triple;
}

// Machado, Oliveira and Fernandes (2009), severity 1, on linear sRGB.
const EYES: Record<string, Matrix> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function clipped(rgb: Triple): Triple {
  return rgb.map((part) => Math.min(1, Math.max(0, part))) as Triple;
}

/** The distance of two colours in OKLab, in hundredths: 2 is just seen, 10 is another colour. */
function distance(one: Triple, other: Triple, eyes: Matrix): number {
  const [a, b] = [one, other].map((color) => oklab(clipped(times(eyes, clipped(linear(color)))))) as [Triple, Triple];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function contrast(one: Triple, other: Triple): number {
  const [a, b] = [one, other].map((color) => {
    const [r, g, blue] = clipped(linear(color));
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  }) as [number, number];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const ROUTES = ['purple', 'blue', 'orange', 'white', 'green', 'yellow', 'black', 'red', 'gray'];
const PLAYERS = [...PLAYER_COLORS];

describe.each(Object.entries(themes))('%s', (_, theme) => {
  const color = (name: string): Triple => {
    const found = theme[name];
    if (!found) throw new Error(`no colour ${name}`);
    return found;
  };
  const closest = (names: string[], prefix: string, eyes: Matrix): [number, string] => {
    const pairs: [number, string][] = names.flatMap((a, i) =>
      names
        .slice(i + 1)
        .map((b): [number, string] => [distance(color(prefix + a), color(prefix + b), eyes), `${a} ${b}`]),
    );
    return pairs.reduce((least, pair) => (pair[0] < least[0] ? pair : least));
  };

  test.each(Object.entries(EYES))('colours of routes keep apart: %s', (name, eyes) => {
    const [far, pair] = closest(ROUTES, 'route-', eyes);
    expect(far, pair).toBeGreaterThan(name === 'usual' ? 12 : 6);
  });

  test.each(Object.entries(EYES))('colours of players keep apart: %s', (name, eyes) => {
    const [far, pair] = closest(PLAYERS, 'player-', eyes);
    expect(far, pair).toBeGreaterThan(name === 'usual' ? 15 : 10);
  });

  // A space also has its symbol; the colour of its fill alone tells most of them apart.
  test.each(Object.entries(EYES))('free spaces keep apart: %s', (name, eyes) => {
    const [far, pair] = closest(ROUTES, 'space-', eyes);
    expect(far, pair).toBeGreaterThan(name === 'usual' ? 10 : 5);
  });

  /*
   * Claimed or free: hues of players and routes are shared, so the difference must not be one of hue. Every train has an
   * outline at one end of the scale of lightness, and no free space has an edge near it: a difference for every eye.
   */
  const free = [
    ...ROUTES.map((name) => [name, `space-${name}`, `space-${name}-edge`]),
    ['ferry', 'ferry', 'crossing'],
    ['tunnel', 'tunnel', 'portal'],
    ['closed', 'land', 'track'],
  ];
  const pairs = PLAYERS.flatMap((player) =>
    free.map(([name, fill, edge]) => ({ player, name, fill: fill!, edge: edge! })),
  );
  test.each(Object.entries(EYES))('a train looks like no free space: %s', (_, eyes) => {
    for (const { player, name, fill, edge } of pairs) {
      const outline = distance(color('carriage-line'), color(edge), eyes);
      const body = distance(color(`player-${player}`), color(fill), eyes);
      expect(outline, `the outline of ${player} on a ${name} space`).toBeGreaterThan(20);
      expect(Math.hypot(outline, body), `${player} on ${name}`).toBeGreaterThan(22);
    }
  });

  test('a train stands out from the paper under it, whatever its colour', () => {
    for (const ground of ['land', 'sea']) {
      const seen = Math.max(
        contrast(color('carriage-line'), color(ground)),
        contrast(color('carriage-edge'), color(ground)),
      );
      expect(seen).toBeGreaterThanOrEqual(7);
    }
  });

  test('every colour can be shown by any screen', () => {
    for (const [name, value] of Object.entries(theme)) {
      for (const part of linear(value)) {
        expect(part, name).toBeGreaterThan(-0.003);
        expect(part, name).toBeLessThan(1.003);
      }
    }
  });

  test.each(PLAYERS)("a player's mark is read on %s", (name) => {
    expect(contrast(color(`player-${name}`), color(`player-${name}-ink`))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(ROUTES)('the symbol stands out from %s', (name) => {
    expect(contrast(color(`route-${name}`), color(`route-${name}-mark`))).toBeGreaterThanOrEqual(3.5);
    expect(contrast(color(`space-${name}`), color(`space-${name}-mark`))).toBeGreaterThanOrEqual(3.5);
  });

  test.each(ROUTES)('the outline of %s stands out from the land', (name) => {
    const seen = Math.max(
      contrast(color(`space-${name}-edge`), color('land')),
      contrast(color(`space-${name}`), color('land')),
    );
    expect(seen).toBeGreaterThanOrEqual(3);
  });

  test.each(ROUTES)('the outline of %s stands out from the mountains, where they are darkest', (name) => {
    // All layers of the relief's shade, one on another, and none of its light.
    const strength =
      1 -
      (1 -
        Number(
          /--board-slope: oklch\([^/]*\/ ([\d.]+)\)/.exec(
            theme === dark || theme === themes['dark, USA'] ? night : day,
          )![1],
        )) **
        6;
    const land = color('land');
    const slope = color('slope');
    const ground = land.map((part, at) => part + (slope[at]! - part) * strength) as Triple;
    const seen = Math.max(contrast(color(`space-${name}-edge`), ground), contrast(color(`space-${name}`), ground));
    expect(seen).toBeGreaterThanOrEqual(3);
  });

  test('names are read on their plates', () => {
    expect(contrast(color('plate'), color('plate-ink'))).toBeGreaterThanOrEqual(7);
    expect(contrast(color('enamel'), color('enamel-ink'))).toBeGreaterThanOrEqual(7);
    expect(contrast(color('mark-done'), color('mark-ink'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(color('mark-open'), color('mark-ink'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(color('mark-offered'), color('plate'))).toBeGreaterThanOrEqual(4.5);
  });

  test('what is drawn around routes and cities is seen on land and sea', () => {
    for (const ground of ['land', 'sea']) {
      for (const name of ['path', 'hint', 'chosen', 'focus', 'mark-open', 'mark-done', 'mark-offered', 'ink']) {
        expect(contrast(color(name), color(ground)), `${name} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

test('what the words call pink is drawn pink, and purple elsewhere, cards and spaces, by day and night', () => {
  const pink: Record<string, RegExp> = { en: /pink/, es: /rosa/, pt: /rosa/, ro: /roz/ };
  for (const [language, word] of Object.entries(pink)) {
    const texts = catalogues[language]!;
    for (const key of ['cards.purple', 'spaces.purple']) {
      expect(texts[`${key}@usa`], language).toMatch(word);
      expect(texts[key], language).not.toMatch(word);
    }
  }
  for (const [theme, all] of Object.entries(themes)) {
    const hues = ['route-purple', 'space-purple'].map((name) => all[name]![2]);
    const [least, most] = theme.endsWith('USA') ? [330, 360] : [295, 325];
    expect(
      hues.filter((hue) => hue < least || hue > most),
      theme,
    ).toEqual([]);
  }
});
