import { describe, expect, test } from 'vitest';
import { arrowPlace, boxOf, type Box } from '../../../src/tutorial/arrow_place.ts';

const WINDOW = { width: 1280, height: 720 };
const box = (left: number, top: number, width: number, height: number): Box => ({ left, top, width, height });
const apart = (a: Box, b: Box) =>
  a.left + a.width <= b.left || b.left + b.width <= a.left || a.top + a.height <= b.top || b.top + b.height <= a.top;

describe('the arrow of a lesson', () => {
  test('stands above its part and points down, where nothing is in its way', () => {
    const part = box(400, 300, 200, 100);
    expect(arrowPlace(part, WINDOW, () => true)).toEqual({ x: 500, y: 300, turn: 0 });
  });

  test('leaves the tabs above a part alone: it stands beside it', () => {
    const [tabs, part] = [box(936, 52, 344, 44), box(936, 96, 344, 624)];
    const place = arrowPlace(part, WINDOW, (one) => apart(one, tabs));
    expect(place.turn).toBe(270);
    expect(place.x).toBe(936);
    expect(apart(boxOf(place), tabs)).toBe(true);
  });

  test('moves along the edge before it changes sides, and never leaves the window', () => {
    const taken = box(480, 250, 40, 50);
    expect(arrowPlace(box(400, 300, 200, 100), WINDOW, (one) => apart(one, taken))).toEqual({
      x: 450,
      y: 300,
      turn: 0,
    });
    expect(arrowPlace(box(400, 10, 200, 100), WINDOW, () => true)).toEqual({ x: 500, y: 110, turn: 180 });
    expect(arrowPlace(box(400, 10, 200, 100), WINDOW, () => false).turn).toBe(180);
  });

  test.each([0, 90, 180, 270] as const)('turned by %i degrees it touches its part and does not cover it', (turn) => {
    const part = box(400, 300, 200, 100);
    const tip = { 0: { x: 500, y: 300 }, 180: { x: 500, y: 400 }, 270: { x: 400, y: 350 }, 90: { x: 600, y: 350 } }[
      turn
    ];
    expect(apart(boxOf({ ...tip, turn }), part)).toBe(true);
  });
});
