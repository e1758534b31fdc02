/** The pane through which a sheet is seen: which part of it is shown, and how that changes. */

import { untrack } from 'svelte';
import type { Box } from '../picture.ts';
import {
  beside,
  fit,
  frameOf,
  kept,
  maxZoom,
  panned,
  pinched,
  revealing,
  showing,
  slackOf,
  toScreen,
  toSheet,
  wheelFactor,
  whole,
  zoomed,
  type Frame,
  type Insets,
  type Point,
  type View,
} from './view.ts';

const STEP = 1.5;
const REST = 220; // milliseconds after which a movement is over
const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

export class Pane {
  wide = $state(0);
  high = $state(0);
  /** What panels cover, and what of the sheet is to be seen beside them. */
  insets = $state.raw<Insets>(NO_INSETS);
  content = $state.raw<Box>({ x: 0, y: 0, w: 1, h: 1 });
  /** Being moved, by hand or by itself: it may be drawn roughly meanwhile. */
  moving = $state(false);
  gliding = $state(false);
  #target = $state.raw<View>({ zoom: 1, x: 0, y: 0 });
  /** The zoom that names and symbols are made for: that of the last rest, so that a step costs nothing but a transform. */
  #settled = $state(1);
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** Whether it has a size yet. */
  readonly #shown = $derived(this.wide > 0 && this.high > 0);
  /** What lies over it for now: panels and questions that are open. */
  #covers = $state.raw<ReadonlyMap<Element, Box>>(new Map());
  readonly #room: Frame = $derived(frameOf({ width: this.wide, height: this.high }, this.insets, this.content));
  readonly frame: Frame = $derived(
    this.#covers.size ? { ...this.#room, slack: slackOf(this.#room, [...this.#covers.values()]) } : this.#room,
  );
  /** The room in which the sheet was moved by hand from under something; in any other it has its place again. */
  #strayed = $state.raw<Frame | null>(null);
  readonly view: View = $derived.by(() => kept(this.#target, this.#strayed === this.#room ? this.frame : this.#room));
  readonly base = $derived.by(() => fit(this.frame));
  /** Pixels for a unit of the sheet, now. */
  readonly scale = $derived(this.#shown ? this.base * this.view.zoom : 1);
  /** Pixels for a unit of the sheet when it came to rest. */
  readonly restScale = $derived(this.#shown ? this.base * Math.max(1, this.#settled) : 1);
  readonly closest = $derived.by(() => this.view.zoom >= maxZoom(this.frame) * 0.98);
  /** All of it is seen, in the middle. */
  readonly all = $derived.by(() => {
    if (this.view.zoom > 1) return false;
    const { x, y } = whole(this.frame);
    return Math.abs(this.view.x - x) < 1 && Math.abs(this.view.y - y) < 1;
  });
  /** It can be moved by hand. */
  readonly movable = $derived(!this.all || this.#covers.size > 0);

  closer = (at?: Point) => this.zoomBy(STEP, at);
  further = () => this.zoomBy(1 / STEP);
  showAll = () => this.#show(whole(this.frame), true);

  /** Show a part of the sheet, as large as it can be. */
  showPart(part: Box): void {
    this.#show(showing(part, this.frame), true);
  }

  /** Bring a part of the sheet out from under what lies over it, moving no more than needed. */
  showBeside(part: Box): void {
    const next = beside(this.view, part, this.frame, [...this.#covers.values()]);
    if (next.x !== this.view.x || next.y !== this.view.y) this.#show(next, true);
  }

  zoomBy(factor: number, at: Point = this.#middle()): void {
    this.#show(zoomed(this.view, factor, at, this.frame), true);
  }

  glideBy(dx: number, dy: number): void {
    this.#show(panned(this.view, dx, dy, this.frame), true);
  }

  dragBy(dx: number, dy: number): void {
    this.#show(panned(this.view, dx, dy, this.frame), false);
  }

  pinch(before: readonly [Point, Point], after: readonly [Point, Point]): void {
    this.#show(pinched(this.view, before, after, this.frame), false);
  }

  /** Bring a place into view, moving no more than needed. */
  reveal(place: Point): void {
    const next = revealing(this.view, place, 60, this.frame, [...this.#covers.values()]);
    if (next.x !== this.view.x || next.y !== this.view.y) this.#show(next, true);
  }

  /** Zoom by the wheel; returns whether anything moved: if not, the page may scroll. */
  wheel(event: WheelEvent, at: Point): boolean {
    const { zoom, x, y } = this.view;
    const factor = wheelFactor(event.deltaY, event.deltaMode, event.ctrlKey);
    const next = event.shiftKey
      ? panned(this.view, -(event.deltaX || event.deltaY), 0, this.frame)
      : zoomed(this.view, factor, at, this.frame);
    if (next.zoom === zoom && next.x === x && next.y === y) return false;
    this.#show(next, false);
    return true;
  }

  /**
   * Attached to what lies over the sheet while it is open. It moves nothing; the sheet can be dragged out from under it, and
   * goes back to its place when it is closed.
   */
  covered = (over: HTMLElement): (() => void) => {
    const note = () => {
      const { x, y, width: w, height: h } = over.getBoundingClientRect();
      const next = new Map(this.#covers);
      if (w && h && getComputedStyle(over).visibility === 'visible') next.set(over, { x, y, w, h });
      else next.delete(over);
      this.#cover(next);
    };
    const sizes = new ResizeObserver(note);
    sizes.observe(over);
    return () => {
      sizes.disconnect();
      const next = new Map(this.#covers);
      next.delete(over);
      this.#cover(next);
    };
  };

  #cover(next: ReadonlyMap<Element, Box>): void {
    const before = untrack(() => this.view);
    this.#covers = next;
    const { x, y } = untrack(() => this.view);
    if (x !== before.x || y !== before.y)
      this.#show(
        untrack(() => this.view),
        true,
      );
  }

  toSheet = (at: Point): Point => toSheet(this.view, at, this.frame);
  toScreen = (place: Point): Point => toScreen(this.view, place, this.frame);

  rest(): void {
    clearTimeout(this.#resting);
    this.moving = false;
    this.gliding = false;
    this.#settled = this.view.zoom;
  }

  #middle(): Point {
    const { x, y, w, h } = this.frame.free;
    return { x: x + w / 2, y: y + h / 2 };
  }

  #show(next: View, gliding: boolean): void {
    this.#target = next;
    const { x, y } = kept(next, this.#room);
    this.#strayed = x !== next.x || y !== next.y ? this.#room : null;
    this.gliding = gliding;
    this.moving = true;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.rest(), REST);
  }
}
