/** Zoom and pan, as numbers: which part of a sheet a window shows. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `zoom` is 1 where the whole sheet is seen; (x, y) is where the sheet's corner lies, in pixels. */
export interface View {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

const CLOSEST = 3; // pixels for one unit of the sheet, at least within reach

/** Return the pixels for one unit of the sheet when all of it is seen. */
export function fit(window: Size, sheet: Size): number {
  return Math.max(1e-6, Math.min(window.width / sheet.width, window.height / sheet.height));
}

export function maxZoom(window: Size, sheet: Size): number {
  return Math.max(4, CLOSEST / fit(window, sheet));
}

/** Return the view corrected so that the sheet fills the window where it can and is centred where not. */
export function kept(view: View, window: Size, sheet: Size): View {
  const zoom = Math.min(maxZoom(window, sheet), Math.max(1, view.zoom));
  const scale = fit(window, sheet) * zoom;
  return {
    zoom,
    x: along(view.x, window.width, sheet.width * scale),
    y: along(view.y, window.height, sheet.height * scale),
  };
}

function along(offset: number, room: number, length: number): number {
  if (length <= room) return (room - length) / 2;
  return Math.min(0, Math.max(room - length, offset));
}

export function whole(window: Size, sheet: Size): View {
  return kept({ zoom: 1, x: 0, y: 0 }, window, sheet);
}

export function panned(view: View, dx: number, dy: number, window: Size, sheet: Size): View {
  return kept({ zoom: view.zoom, x: view.x + dx, y: view.y + dy }, window, sheet);
}

/** Return the view zoomed by a factor, so that what is under `at` (pixels) stays there. */
export function zoomed(view: View, factor: number, at: Point, window: Size, sheet: Size): View {
  const zoom = Math.min(maxZoom(window, sheet), Math.max(1, view.zoom * factor));
  const by = zoom / view.zoom;
  return kept({ zoom, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, window, sheet);
}

/** Return the view after two fingers moved: what was under them stays under them. */
export function pinched(
  view: View,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  window: Size,
  sheet: Size,
): View {
  const from = middle(...before);
  const to = middle(...after);
  const factor = apart(...after) / Math.max(1, apart(...before));
  const moved = { zoom: view.zoom, x: view.x + to.x - from.x, y: view.y + to.y - from.y };
  return zoomed(moved, factor, to, window, sheet);
}

/** Return the view moved, no more than needed, so that a point of the sheet is `margin` pixels inside the window. */
export function revealing(view: View, point: Point, margin: number, window: Size, sheet: Size): View {
  const at = toScreen(view, point, window, sheet);
  return panned(
    view,
    into(at.x, Math.min(margin, window.width / 2), window.width),
    into(at.y, Math.min(margin, window.height / 2), window.height),
    window,
    sheet,
  );
}

function into(at: number, margin: number, room: number): number {
  return Math.max(0, margin - at) - Math.max(0, at - (room - margin));
}

export function toSheet(view: View, at: Point, window: Size, sheet: Size): Point {
  const scale = fit(window, sheet) * view.zoom;
  return { x: (at.x - view.x) / scale, y: (at.y - view.y) / scale };
}

export function toScreen(view: View, point: Point, window: Size, sheet: Size): Point {
  const scale = fit(window, sheet) * view.zoom;
  return { x: view.x + point.x * scale, y: view.y + point.y * scale };
}

/** Return the factor by which a turn of the wheel zooms; `mode` is WheelEvent.deltaMode. */
export function wheelFactor(delta: number, mode: number, pinching: boolean): number {
  const pixels = delta * (mode === 1 ? 18 : mode === 2 ? 240 : 1);
  return Math.exp(-Math.max(-120, Math.min(120, pixels)) * (pinching ? 0.012 : 0.0022));
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function apart(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
