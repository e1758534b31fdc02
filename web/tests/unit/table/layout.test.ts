import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentOf, type Picture } from '../../../src/board/picture.ts';
import { frameOf, toScreen, whole } from '../../../src/board/zoom/view.ts';
import { cornerFor, layoutOf, offerFits } from '../../../src/table/layout.ts';

const EUROPE = 1.73; // the width of the board's content by its height
const SIZES = [
  [360, 740],
  [740, 360],
  [768, 1024],
  [1024, 768],
  [1280, 720],
  [1440, 900],
  [1920, 1080],
] as const;

/** The share of the window that the content of a board covers. */
function share(width: number, height: number, shape: number, text = 1): number {
  const { insets } = layoutOf(width, height, shape, text);
  const [w, h] = [width - insets.left - insets.right, height - insets.top - insets.bottom];
  const scale = Math.min(w / shape, h);
  return (scale * shape * scale) / (width * height);
}

describe.each(SIZES)('%d × %d', (width, height) => {
  const layout = layoutOf(width, height, EUROPE);

  test('head, cards and panels leave the map its room', () => {
    const { insets } = layout;
    expect(insets.top).toBeGreaterThanOrEqual(layout.head);
    expect(insets.right).toBeGreaterThanOrEqual(layout.side);
    expect(insets.bottom).toBeGreaterThanOrEqual(layout.foot + layout.spare);
    expect(width - insets.left - insets.right).toBeGreaterThan(width * 0.6);
  });

  test('a panel that stays open is high enough to be read', () => {
    expect(layout.spare === 0 || layout.spare >= 170).toBe(true);
  });
});

test('the map covers what it should', () => {
  const least: Record<number, number> = { 740: 0.5, 1024: 0.55, 1280: 0.55, 1440: 0.57, 1920: 0.65 };
  for (const [width, height] of SIZES) {
    if (least[width]) expect(share(width, height, EUROPE), `${width}`).toBeGreaterThan(least[width]);
  }
});

test('on an upright phone a turned map is larger', () => {
  expect(share(360, 740, 1 / EUROPE)).toBeGreaterThan(1.5 * share(360, 740, EUROPE));
});

test('cards that hang from the chips of an upright phone have room above the map', () => {
  for (const [width, height] of [
    [360, 740],
    [390, 844],
    [430, 932],
  ] as const) {
    const { head, insets, spare } = layoutOf(width, height, EUROPE);
    expect(insets.top, `${width}`).toBeGreaterThanOrEqual(head + 16);
    expect(spare, `${width}`).toBeGreaterThanOrEqual(170);
  }
  // Nobody has a hand: nothing hangs there.
  const { head, insets } = layoutOf(360, 740, EUROPE, 1, false);
  expect(insets.top).toBeLessThan(head + 16);
});

test('spectators have no hand: its place is the map’s', () => {
  for (const [width, height] of SIZES) {
    const [seated, watching] = [layoutOf(width, height, EUROPE), layoutOf(width, height, EUROPE, 1, false)];
    expect(watching.foot, `${width}`).toBeLessThanOrEqual(seated.foot);
    expect(watching.insets.bottom - watching.spare, `${width}`).toBeLessThanOrEqual(
      seated.insets.bottom - seated.spare,
    );
  }
  expect(layoutOf(1440, 900, EUROPE, 1, false).foot).toBe(0);
});

test('larger text takes little of the map', () => {
  for (const [width, height] of SIZES) {
    const [usual, large] = [1, 1.5].map((text) => share(width, height, EUROPE, text)) as [number, number];
    expect(large / usual, `${width}`).toBeGreaterThan(0.78);
  }
  for (const [width, height] of [
    [360, 740],
    [740, 360],
  ] as const)
    expect(share(width, height, EUROPE, 1.5), `${width}`).toBeGreaterThan(0.9 * share(width, height, EUROPE));
});

test('on a screen of very many pixels head, tabs, hand and buttons of the map grow too', () => {
  const [usual, vast] = [layoutOf(1920, 1080, EUROPE), layoutOf(3840, 2160, EUROPE, 1.7)];
  for (const part of ['head', 'tabs', 'side', 'foot', 'tools'] as const)
    expect(vast[part] / usual[part], part).toBeGreaterThan(1.4);
  expect(share(3840, 2160, EUROPE, 1.7)).toBeGreaterThan(0.65);
});

test('the log keeps its room below tickets on offer where they leave it', () => {
  const fits = (width: number, height: number, tickets: number, text = 1) =>
    offerFits(layoutOf(width, height, EUROPE, text), height, tickets, text);
  expect([fits(1440, 900, 2), fits(1440, 900, 4), fits(1920, 1080, 4), fits(1920, 1080, 4, 2)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

const folder = join(import.meta.dirname, '../../../../src/ferrovia/drawing/pictures');

test.each(readdirSync(folder))(
  'on a tablet tickets on offer lie in the corner of the map that hides the least: %s',
  (file) => {
    const picture = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Picture;
    const content = contentOf(picture);
    const [width, height] = [1024, 768];
    const layout = layoutOf(width, height, content.w / content.h);
    const frame = frameOf({ width, height }, layout.insets, content);
    const seen = picture.cities.map((city) => ({ ...toScreen(whole(frame), city, frame), weight: 1 }));
    const corner = cornerFor(layout, width, height, 4, seen);
    expect(corner).not.toBeNull();
    const [wide, high] = [216, 410];
    const [left, top] = [
      corner!.endsWith('w') ? 0 : width - wide,
      corner!.startsWith('n') ? layout.head : height - layout.foot - high,
    ];
    const hidden = seen.filter(({ x, y }) => x > left && x < left + wide && y > top && y < top + high);
    expect(hidden.length).toBeLessThanOrEqual(3);
    // Where a city lies that a ticket names, another is found, or none of them.
    const named = seen.map((one) => ({
      ...one,
      weight: hidden.some(({ x, y }) => x === one.x && y === one.y) ? 9 : 1,
    }));
    expect(cornerFor(layout, width, height, 4, named)).not.toBe(corner);
    expect(cornerFor(layout, width, height, 9, seen)).toBeNull();
  },
);
