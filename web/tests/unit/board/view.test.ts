import { describe, expect, test } from 'vitest';
import {
  beside,
  fit,
  frameOf,
  kept,
  maxZoom,
  panned,
  pinched,
  revealing,
  slackOf,
  toScreen,
  toSheet,
  wheelFactor,
  whole,
  zoomed,
  type Frame,
  type View,
} from '../../../src/board/zoom/view.ts';

/** All of a sheet but its border is content. */
const content = { x: 30, y: 20, w: 1200, h: 800 };
const none = { top: 0, right: 0, bottom: 0, left: 0 };
const phone = frameOf({ width: 360, height: 420 }, none, content);
const desk = frameOf({ width: 1440, height: 800 }, none, content);
const panels = frameOf({ width: 1440, height: 900 }, { top: 52, right: 200, bottom: 100, left: 8 }, content);

function inside(view: View, frame: Frame): void {
  const scale = fit(frame) * view.zoom;
  for (const [at, from, room, length] of [
    [view.x + content.x * scale, frame.free.x, frame.free.w, content.w * scale],
    [view.y + content.y * scale, frame.free.y, frame.free.h, content.h * scale],
  ] as const) {
    if (length <= room + 1e-9) expect(at).toBeCloseTo(from + (room - length) / 2);
    else {
      expect(at).toBeLessThanOrEqual(from + 1e-9);
      expect(at + length).toBeGreaterThanOrEqual(from + room - 1e-9);
    }
  }
}

describe.each([
  ['phone', phone],
  ['desk', desk],
  ['under panels', panels],
])('%s', (_, frame) => {
  const { free } = frame;
  const middle = { x: free.x + free.w / 2, y: free.y + free.h / 2 };

  test('the whole content is shown, in the middle of what is free', () => {
    const view = whole(frame);
    expect(view.zoom).toBe(1);
    const a = toScreen(view, { x: 30, y: 20 }, frame);
    const b = toScreen(view, { x: 1230, y: 820 }, frame);
    expect((a.x + b.x) / 2).toBeCloseTo(middle.x);
    expect((a.y + b.y) / 2).toBeCloseTo(middle.y);
    expect(Math.min(a.x - free.x, a.y - free.y)).toBeGreaterThanOrEqual(-1e-9);
  });

  test('what is under the pointer stays there', () => {
    let view = zoomed(whole(frame), 2.5, middle, frame);
    const at = { x: free.x + free.w * 0.55, y: free.y + free.h * 0.45 };
    const before = toSheet(view, at, frame);
    view = zoomed(view, 1.3, at, frame);
    const after = toSheet(view, at, frame);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });

  test('zoom has its limits and comes back to the whole', () => {
    const at = { x: 100, y: 100 };
    expect(zoomed(whole(frame), 1e6, at, frame).zoom).toBe(maxZoom(frame));
    expect(zoomed(zoomed(whole(frame), 5, at, frame), 1e-6, at, frame)).toEqual(whole(frame));
  });

  test('no way of moving leaves the frame', () => {
    let view = whole(frame);
    let seed = 1;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let i = 0; i < 300; i++) {
      const at = { x: free.x + random() * free.w, y: free.y + random() * free.h };
      view =
        i % 3
          ? panned(view, (random() - 0.5) * 900, (random() - 0.5) * 900, frame)
          : zoomed(view, 0.4 + random() * 2, at, frame);
      inside(view, frame);
    }
  });

  test('two fingers hold what is under them', () => {
    const view = zoomed(whole(frame), 3, middle, frame);
    const a = { x: middle.x - 50, y: middle.y };
    const b = { x: middle.x + 50, y: middle.y };
    const [c, d] = [
      { x: a.x - 20, y: a.y + 10 },
      { x: b.x + 10, y: b.y + 10 },
    ];
    const next = pinched(view, [a, b], [c, d], frame);
    for (const [from, to] of [
      [a, c],
      [b, d],
    ] as const) {
      const place = toSheet(view, from, frame);
      const now = toScreen(next, place, frame);
      expect(now.x).toBeCloseTo(to.x, 3);
      expect(now.y).toBeCloseTo(to.y, 3);
    }
  });

  test('a place is revealed, and nothing moves when it is seen already', () => {
    const view = zoomed(whole(frame), 3.5, { x: free.x, y: free.y }, frame);
    const seen = revealing(view, { x: 1000, y: 600 }, 40, frame);
    const at = toScreen(seen, { x: 1000, y: 600 }, frame);
    expect(at.x).toBeLessThanOrEqual(free.x + free.w - 40 + 1e-6);
    expect(at.y).toBeLessThanOrEqual(free.y + free.h - 40 + 1e-6);
    expect(revealing(seen, { x: 1000, y: 600 }, 40, frame)).toEqual(seen);
  });
});

test('a turned phone keeps the content inside', () => {
  const view = zoomed(whole(phone), 4, { x: 300, y: 300 }, phone);
  const turned = frameOf({ width: 420, height: 360 }, none, content);
  inside(kept(view, turned), turned);
});

test('a window without a size does no harm', () => {
  const view = whole(frameOf({ width: 0, height: 0 }, none, content));
  expect(Object.values(view).every(Number.isFinite)).toBe(true);
});

test('the wheel zooms in when turned away, alike in pixels and lines, and never leaps', () => {
  expect(wheelFactor(-100, 0, false)).toBeGreaterThan(1);
  expect(wheelFactor(100, 0, false)).toBeCloseTo(1 / wheelFactor(-100, 0, false));
  expect(wheelFactor(-3, 1, false)).toBeGreaterThan(1.05);
  expect(wheelFactor(-9999, 0, false)).toBeLessThan(1.4);
});

describe('a panel that lies over the map for now', () => {
  const tablet = frameOf({ width: 1024, height: 768 }, { top: 56, right: 4, bottom: 130, left: 4 }, content);
  const panel = { x: 624, y: 300, w: 400, h: 342 };
  const covered = { ...tablet, slack: slackOf(tablet, [panel]) };
  const corner = { x: 1230, y: 820 };

  test('moves nothing; what is under it can be dragged out from under it, and not the other way', () => {
    expect(kept(whole(tablet), covered)).toEqual(whole(tablet));
    expect(whole(covered)).toEqual(whole(tablet));
    const left = toScreen(panned(whole(covered), -900, 0, covered), corner, covered);
    expect(left.x).toBeCloseTo(panel.x - 20);
    const up = toScreen(panned(whole(covered), 0, -900, covered), corner, covered);
    expect(up.y).toBeCloseTo(panel.y - 20);
    expect(panned(whole(covered), 900, 900, covered)).toEqual(whole(tablet));
    expect(zoomed(panned(whole(covered), -200, -200, covered), 0.5, { x: 500, y: 400 }, covered)).toEqual(
      whole(tablet),
    );
  });

  test('is kept clear of by what a key leads to', () => {
    for (const place of [corner, { x: 900, y: 700 }, { x: 1200, y: 420 }]) {
      const at = toScreen(revealing(whole(covered), place, 60, covered, [panel]), place, covered);
      expect(at.x < panel.x || at.y < panel.y, JSON.stringify(at)).toBe(true);
    }
    expect(revealing(whole(covered), { x: 100, y: 100 }, 0, covered, [panel])).toEqual(whole(tablet));
  });

  test('is kept clear of by a whole part of the map, which moves no more than it must', () => {
    const part = { x: 700, y: 500, w: 500, h: 250 };
    const shown = beside(whole(covered), part, covered, [panel]);
    const low = toScreen(shown, { x: 1200, y: 750 }, covered);
    const high = toScreen(shown, part, covered);
    expect(low.x <= panel.x - 20 + 0.01 || low.y <= panel.y - 20 + 0.01).toBe(true);
    expect(high.x).toBeGreaterThanOrEqual(tablet.free.x - 0.01);
    expect(high.y).toBeGreaterThanOrEqual(tablet.free.y - 0.01);
    expect(beside(whole(covered), { x: 100, y: 100, w: 200, h: 200 }, covered, [panel])).toEqual(whole(tablet));
    expect(beside(whole(tablet), part, tablet, [])).toEqual(whole(tablet));
  });

  test('leaves one direction where it spans the map', () => {
    expect(slackOf(tablet, [{ x: 0, y: 500, w: 1024, h: 142 }])).toEqual({ top: 0, right: 0, bottom: 158, left: 0 });
    expect(slackOf(tablet, [{ x: 700, y: 50, w: 324, h: 600 }])).toEqual({ top: 0, right: 340, bottom: 0, left: 0 });
    expect(slackOf(tablet, [{ x: 0, y: 640, w: 1024, h: 128 }])).toEqual({ top: 0, right: 0, bottom: 0, left: 0 });
  });
});
