/** Gestures of mouse, pen and fingers on the board, in pixels of its window. */

import type { Point } from '../zoom/view.ts';

export interface GestureHandlers {
  /** Returns whether there was something to press. */
  readonly tap: (at: Point, pointer: string) => boolean;
  readonly doubleTap: (at: Point) => void;
  readonly drag: (dx: number, dy: number) => void;
  readonly pinch: (before: readonly [Point, Point], after: readonly [Point, Point]) => void;
  /** Where the mouse is; null when it has left or drags. */
  readonly hover: (at: Point | null) => void;
}

const DOUBLE = { milliseconds: 350, pixels: 30 };

export class Gestures {
  readonly #on: GestureHandlers;
  readonly #down = new Map<number, Point>();
  #start: Point = { x: 0, y: 0 };
  #dragged = false;
  #last = { at: 0, x: 0, y: 0 };

  constructor(handlers: GestureHandlers) {
    this.#on = handlers;
  }

  down = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    const at = position(event);
    this.#down.set(event.pointerId, at);
    this.#dragged = this.#down.size > 1;
    if (!this.#dragged) this.#start = at;
  };

  move = (event: PointerEvent): void => {
    const at = position(event);
    const before = this.#down.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') this.#on.hover(at);
      return;
    }
    if (this.#down.size === 1) {
      const slack = event.pointerType === 'mouse' ? 4 : 9;
      if (!this.#dragged && distance(at, this.#start) < slack) return;
      if (!this.#dragged) (event.currentTarget as Element).setPointerCapture(event.pointerId);
      this.#dragged = true;
      this.#on.hover(null);
      this.#on.drag(at.x - before.x, at.y - before.y);
    } else if (this.#down.size === 2) {
      const other = [...this.#down].find(([pointer]) => pointer !== event.pointerId)![1];
      this.#on.pinch([before, other], [at, other]);
    }
    this.#down.set(event.pointerId, at);
  };

  up = (event: PointerEvent): void => {
    if (!this.#down.delete(event.pointerId) || this.#dragged) return;
    const at = position(event);
    if (this.#on.tap(at, event.pointerType)) {
      this.#last.at = 0;
    } else if (event.timeStamp - this.#last.at < DOUBLE.milliseconds && distance(at, this.#last) < DOUBLE.pixels) {
      this.#last.at = 0;
      this.#on.doubleTap(at);
    } else {
      this.#last = { at: event.timeStamp, ...at };
    }
  };

  gone = (event: PointerEvent): void => {
    this.#down.delete(event.pointerId);
    this.#on.hover(null);
  };
}

/** Return where an event is, in pixels of the element that listens. */
export function position(event: MouseEvent): Point {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
