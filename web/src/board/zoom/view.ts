/** Zoom and pan, as numbers: which part of a sheet a window shows. */

import type { Box } from '../picture.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How far panels reach over a window from its four sides, in pixels. */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** `content` (units of the sheet) is shown in `free` (pixels), the part of the window that no panel covers. */
export interface Frame {
  readonly free: Box;
  readonly content: Box;
}

/** `zoom` is 1 where the whole content is seen; (x, y) is where the sheet's corner lies, in pixels. */
export interface View {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

const CLOSEST = 3; // pixels for one unit of the sheet, at least within reach

export function frameOf(window: Size, insets: Insets, content: Box): Frame {
  const free = {
    x: insets.left,
    y: insets.top,
    w: Math.max(1, window.width - insets.left - insets.right),
    h: Math.max(1, window.height - insets.top - insets.bottom),
  };
  return { free, content };
}

/** Return the pixels for one unit of the sheet when all of its content is seen. */
export function fit({ free, content }: Frame): number {
  return Math.max(1e-6, Math.min(free.w / content.w, free.h / content.h));
}

export function maxZoom(frame: Frame): number {
  return Math.max(4, CLOSEST / fit(frame));
}

/** Return the view corrected so that the content fills the free part where it can and is centred where not. */
export function kept(view: View, frame: Frame): View {
  const zoom = Math.min(maxZoom(frame), Math.max(1, view.zoom));
  const scale = fit(frame) * zoom;
  const { free, content } = frame;
  return {
    zoom,
    x: along(view.x, free.x, free.w, content.x * scale, content.w * scale),
    y: along(view.y, free.y, free.h, content.y * scale, content.h * scale),
  };
}

/** Where the sheet begins, so that its part from `start` on, `length` long, lies well in the room. */
function along(offset: number, from: number, room: number, start: number, length: number): number {
  if (length <= room) return from + (room - length) / 2 - start;
  return Math.min(from - start, Math.max(from + room - start - length, offset));
}

export function whole(frame: Frame): View {
  return kept({ zoom: 1, x: 0, y: 0 }, frame);
}

/** Return the view in which a part of the sheet fills the free part of the window. */
export function showing(part: Box, frame: Frame): View {
  const { free } = frame;
  const zoom = Math.min(maxZoom(frame), Math.max(1, Math.min(free.w / part.w, free.h / part.h) / fit(frame)));
  const scale = fit(frame) * zoom;
  const x = free.x + free.w / 2 - (part.x + part.w / 2) * scale;
  const y = free.y + free.h / 2 - (part.y + part.h / 2) * scale;
  return kept({ zoom, x, y }, frame);
}

export function panned(view: View, dx: number, dy: number, frame: Frame): View {
  return kept({ zoom: view.zoom, x: view.x + dx, y: view.y + dy }, frame);
}

/** Return the view zoomed by a factor, so that what is under `at` (pixels) stays there. */
export function zoomed(view: View, factor: number, at: Point, frame: Frame): View {
  const zoom = Math.min(maxZoom(frame), Math.max(1, view.zoom * factor));
  const by = zoom / view.zoom;
  return kept({ zoom, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, frame);
}

/** Return the view after two fingers moved: what was under them stays under them. */
export function pinched(view: View, before: readonly [Point, Point], after: readonly [Point, Point], frame: Frame): View {
  const from = middle(...before);
  const to = middle(...after);
  const factor = apart(...after) / Math.max(1, apart(...before));
  const moved = { zoom: view.zoom, x: view.x + to.x - from.x, y: view.y + to.y - from.y };
  return zoomed(moved, factor, to, frame);
}

/** Return the view moved, no more than needed, so that a point of the sheet is `margin` pixels inside the free part. */
export function revealing(view: View, point: Point, margin: number, frame: Frame): View {
  const at = toScreen(view, point, frame);
  const { free } = frame;
  return panned(
    view,
    into(at.x - free.x, Math.min(margin, free.w / 2), free.w),
    into(at.y - free.y, Math.min(margin, free.h / 2), free.h),
    frame,
  );
}

function into(at: number, margin: number, room: number): number {
  return Math.max(0, margin - at) - Math.max(0, at - (room - margin));
}

export function toSheet(view: View, at: Point, frame: Frame): Point {
  const scale = fit(frame) * view.zoom;
  return { x: (at.x - view.x) / scale, y: (at.y - view.y) / scale };
}

export function toScreen(view: View, point: Point, frame: Frame): Point {
  const scale = fit(frame) * view.zoom;
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
