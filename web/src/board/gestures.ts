/** Mouse, pen and fingers: what they do on the board, in pixels of its window. */

import type { Point } from './view.ts';

export interface Doings {
  readonly tap: (at: Point, pointer: string) => boolean;
  readonly doubleTap: (at: Point) => void;
  readonly drag: (dx: number, dy: number) => void;
  readonly pinch: (before: readonly [Point, Point], after: readonly [Point, Point]) => void;
  /** The mouse is there, or nowhere. */
  readonly hover: (at: Point | null) => void;
}

const DOUBLE = { milliseconds: 350, pixels: 30 };

export class Gestures {
  readonly #do: Doings;
  readonly #down = new Map<number, Point>();
  #start: Point = { x: 0, y: 0 };
  #dragged = false;
  #last = { at: 0, x: 0, y: 0 };

  constructor(doings: Doings) {
    this.#do = doings;
  }

  down = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    const at = place(event);
    this.#down.set(event.pointerId, at);
    this.#dragged = this.#down.size > 1;
    if (!this.#dragged) this.#start = at;
  };

  move = (event: PointerEvent): void => {
    const at = place(event);
    const before = this.#down.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') this.#do.hover(at);
      return;
    }
    if (this.#down.size === 1) {
      const slack = event.pointerType === 'mouse' ? 4 : 9;
      if (!this.#dragged && far(at, this.#start) < slack) return;
      if (!this.#dragged) (event.currentTarget as Element).setPointerCapture(event.pointerId);
      this.#dragged = true;
      this.#do.hover(null);
      this.#do.drag(at.x - before.x, at.y - before.y);
    } else if (this.#down.size === 2) {
      const other = [...this.#down].find(([pointer]) => pointer !== event.pointerId)![1];
      this.#do.pinch([before, other], [at, other]);
    }
    this.#down.set(event.pointerId, at);
  };

  up = (event: PointerEvent): void => {
    if (!this.#down.delete(event.pointerId) || this.#dragged) return;
    const at = place(event);
    if (this.#do.tap(at, event.pointerType)) {
      this.#last.at = 0;
    } else if (event.timeStamp - this.#last.at < DOUBLE.milliseconds && far(at, this.#last) < DOUBLE.pixels) {
      this.#last.at = 0;
      this.#do.doubleTap(at);
    } else {
      this.#last = { at: event.timeStamp, ...at };
    }
  };

  gone = (event: PointerEvent): void => {
    this.#down.delete(event.pointerId);
    this.#do.hover(null);
  };
}

/** Where in the window that listens. */
export function place(event: MouseEvent): Point {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function far(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
