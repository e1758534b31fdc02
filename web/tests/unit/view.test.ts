import { describe, expect, test } from 'vitest';
import { fit, kept, maxZoom, panned, pinched, revealing, toScreen, toSheet, wheelFactor, whole, zoomed, type View } from '../../src/board/zoom/view.ts';

const sheet = { width: 1200, height: 800 };
const phone = { width: 360, height: 420 };
const desk = { width: 1440, height: 800 };

function inside(view: View, room: typeof phone): void {
  const scale = fit(room, sheet) * view.zoom;
  for (const [offset, space, length] of [
    [view.x, room.width, sheet.width * scale],
    [view.y, room.height, sheet.height * scale],
  ] as const) {
    if (length <= space + 1e-9) expect(offset).toBeCloseTo((space - length) / 2);
    else {
      expect(offset).toBeLessThanOrEqual(1e-9);
      expect(offset + length).toBeGreaterThanOrEqual(space - 1e-9);
    }
  }
}

describe.each([['phone', phone], ['desk', desk]])('%s', (_, room) => {
  test('the whole sheet is shown, in the middle', () => {
    const view = whole(room, sheet);
    expect(view.zoom).toBe(1);
    const a = toScreen(view, { x: 0, y: 0 }, room, sheet);
    const b = toScreen(view, { x: 1200, y: 800 }, room, sheet);
    expect(a.x + b.x).toBeCloseTo(room.width);
    expect(a.y + b.y).toBeCloseTo(room.height);
    expect(Math.min(a.x, a.y)).toBeGreaterThanOrEqual(-1e-9);
  });

  test('what is under the pointer stays there', () => {
    let view = zoomed(whole(room, sheet), 2.5, { x: room.width / 2, y: room.height / 2 }, room, sheet);
    const at = { x: room.width * 0.55, y: room.height * 0.45 };
    const before = toSheet(view, at, room, sheet);
    view = zoomed(view, 1.3, at, room, sheet);
    const after = toSheet(view, at, room, sheet);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });

  test('zoom has its limits and comes back to the whole', () => {
    const at = { x: 100, y: 100 };
    expect(zoomed(whole(room, sheet), 1e6, at, room, sheet).zoom).toBe(maxZoom(room, sheet));
    expect(zoomed(zoomed(whole(room, sheet), 5, at, room, sheet), 1e-6, at, room, sheet)).toEqual(whole(room, sheet));
  });

  test('no way of moving leaves the frame', () => {
    let view = whole(room, sheet);
    let seed = 1;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let i = 0; i < 300; i++) {
      const at = { x: random() * room.width, y: random() * room.height };
      view = i % 3
        ? panned(view, (random() - 0.5) * 900, (random() - 0.5) * 900, room, sheet)
        : zoomed(view, 0.4 + random() * 2, at, room, sheet);
      inside(view, room);
    }
  });

  test('two fingers hold what is under them', () => {
    const middle = { x: room.width / 2, y: room.height / 2 };
    const view = zoomed(whole(room, sheet), 3, middle, room, sheet);
    const a = { x: middle.x - 50, y: middle.y };
    const b = { x: middle.x + 50, y: middle.y };
    const [c, d] = [{ x: a.x - 20, y: a.y + 10 }, { x: b.x + 10, y: b.y + 10 }];
    const next = pinched(view, [a, b], [c, d], room, sheet);
    for (const [from, to] of [[a, c], [b, d]] as const) {
      const place = toSheet(view, from, room, sheet);
      const now = toScreen(next, place, room, sheet);
      expect(now.x).toBeCloseTo(to.x, 3);
      expect(now.y).toBeCloseTo(to.y, 3);
    }
  });

  test('a place is revealed, and nothing moves when it is seen already', () => {
    const view = zoomed(whole(room, sheet), 3.5, { x: 0, y: 0 }, room, sheet);
    const seen = revealing(view, { x: 1000, y: 600 }, 40, room, sheet);
    const at = toScreen(seen, { x: 1000, y: 600 }, room, sheet);
    expect(at.x).toBeLessThanOrEqual(room.width - 40 + 1e-6);
    expect(at.y).toBeLessThanOrEqual(room.height - 40 + 1e-6);
    expect(revealing(seen, { x: 1000, y: 600 }, 40, room, sheet)).toEqual(seen);
  });
});

test('a turned phone keeps the sheet inside', () => {
  const view = zoomed(whole(phone, sheet), 4, { x: 300, y: 300 }, phone, sheet);
  inside(kept(view, { width: 420, height: 360 }, sheet), { width: 420, height: 360 });
});

test('a window without a size does no harm', () => {
  const view = whole({ width: 0, height: 0 }, sheet);
  expect(Object.values(view).every(Number.isFinite)).toBe(true);
});

test('the wheel zooms in when turned away, alike in pixels and lines, and never leaps', () => {
  expect(wheelFactor(-100, 0, false)).toBeGreaterThan(1);
  expect(wheelFactor(100, 0, false)).toBeCloseTo(1 / wheelFactor(-100, 0, false));
  expect(wheelFactor(-3, 1, false)).toBeGreaterThan(1.05);
  expect(wheelFactor(-9999, 0, false)).toBeLessThan(1.4);
});
