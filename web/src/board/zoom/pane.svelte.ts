/** The pane through which a sheet is seen: which part of it is shown, and how that changes. */

import {
  fit, kept, maxZoom, panned, pinched, revealing, toScreen, toSheet, wheelFactor, whole, zoomed,
  type Point, type Size, type View,
} from './view.ts';

const STEP = 1.5;
const REST = 220; // milliseconds after which a movement is over

export class Pane {
  wide = $state(0);
  high = $state(0);
  /** Being moved, by hand or by itself: it may be drawn roughly meanwhile. */
  moving = $state(false);
  gliding = $state(false);
  #target = $state.raw<View>({ zoom: 1, x: 0, y: 0 });
  readonly #sheet: () => Size;
  #resting: ReturnType<typeof setTimeout> | undefined;

  readonly room: Size = $derived({ width: this.wide, height: this.high });
  readonly view: View = $derived.by(() => kept(this.#target, this.room, this.#sheet()));
  readonly base = $derived.by(() => fit(this.room, this.#sheet()));
  /** Pixels for a unit of the sheet. */
  readonly scale = $derived(this.wide ? this.base * this.view.zoom : 1);
  readonly closest = $derived.by(() => this.view.zoom >= maxZoom(this.room, this.#sheet()) * 0.98);
  readonly all = $derived(this.view.zoom <= 1);

  constructor(sheet: () => Size) {
    this.#sheet = sheet;
  }

  closer = (at?: Point) => this.zoomBy(STEP, at);
  further = () => this.zoomBy(1 / STEP);
  showAll = () => this.#show(whole(this.room, this.#sheet()), true);

  zoomBy(factor: number, at: Point = { x: this.wide / 2, y: this.high / 2 }): void {
    this.#show(zoomed(this.view, factor, at, this.room, this.#sheet()), true);
  }

  glideBy(dx: number, dy: number): void {
    this.#show(panned(this.view, dx, dy, this.room, this.#sheet()), true);
  }

  dragBy(dx: number, dy: number): void {
    this.#show(panned(this.view, dx, dy, this.room, this.#sheet()), false);
  }

  pinch(before: readonly [Point, Point], after: readonly [Point, Point]): void {
    this.#show(pinched(this.view, before, after, this.room, this.#sheet()), false);
  }

  /** Bring a place into view, moving no more than needed. */
  reveal(place: Point): void {
    this.#show(revealing(this.view, place, 60, this.room, this.#sheet()), true);
  }

  /** Zoom by the wheel; returns whether anything moved: if not, the page may scroll. */
  wheel(event: WheelEvent, at: Point): boolean {
    const { zoom, x, y } = this.view;
    const factor = wheelFactor(event.deltaY, event.deltaMode, event.ctrlKey);
    const next = event.shiftKey
      ? panned(this.view, -(event.deltaX || event.deltaY), 0, this.room, this.#sheet())
      : zoomed(this.view, factor, at, this.room, this.#sheet());
    if (next.zoom === zoom && next.x === x && next.y === y) return false;
    this.#show(next, false);
    return true;
  }

  toSheet = (at: Point): Point => toSheet(this.view, at, this.room, this.#sheet());
  toScreen = (place: Point): Point => toScreen(this.view, place, this.room, this.#sheet());

  rest(): void {
    clearTimeout(this.#resting);
    this.moving = false;
    this.gliding = false;
  }

  #show(next: View, gliding: boolean): void {
    this.#target = next;
    this.gliding = gliding;
    this.moving = true;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.rest(), REST);
  }
}
