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
  /** How far what lies over `free` for now reaches into it from its four sides: so much further the content can be moved by hand. */
  readonly slack?: Insets;
}

/** `zoom` is 1 where the whole content is seen; (x, y) is where the sheet's corner lies, in pixels. */
export interface View {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

const CLOSEST = 3; // pixels for one unit of the sheet, at least within reach
const EDGE = 20; // pixels that a place which is looked for keeps from a panel

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

/**
 * Return the view corrected so that the content fills the free part where it can and is centred where not. What is under a
 * panel that lies over it for now can be moved out from under it.
 */
export function kept(view: View, frame: Frame): View {
  const zoom = Math.min(maxZoom(frame), Math.max(1, view.zoom));
  const scale = fit(frame) * zoom;
  const { free, content, slack } = frame;
  return {
    zoom,
    x: along(view.x, free.x, free.w, content.x * scale, content.w * scale, slack?.left, slack?.right),
    y: along(view.y, free.y, free.h, content.y * scale, content.h * scale, slack?.top, slack?.bottom),
  };
}

/** Where the sheet begins, so that its part from `start` on, `length` long, lies well in the room; `before` and `after` of it are covered. */
function along(
  offset: number,
  from: number,
  room: number,
  start: number,
  length: number,
  before = 0,
  after = 0,
): number {
  const middle = from + (room - length) / 2 - start;
  const [first, last] = length <= room ? [middle, middle] : [from + room - start - length, from - start];
  const least = after ? Math.min(first, from + room - after - start - length) : first;
  const most = before ? Math.max(last, from + before - start) : last;
  return Math.min(most, Math.max(least, offset));
}

/** Return the view of all content, in the middle, whatever lies over it for now. */
export function whole({ free, content }: Frame): View {
  return kept({ zoom: 1, x: 0, y: 0 }, { free, content });
}

/** Return how far boxes that lie over the free part reach into it, with a little room beside them. What spans it leaves one direction to move, what lies in a corner two. */
export function slackOf({ free }: Frame, covers: readonly Box[]): Insets {
  const slack = { top: 0, right: 0, bottom: 0, left: 0 };
  const SPAN = 0.8;
  for (const cover of covers) {
    const [left, top] = [Math.max(free.x, cover.x), Math.max(free.y, cover.y)];
    const [right, bottom] = [
      Math.min(free.x + free.w, cover.x + cover.w),
      Math.min(free.y + free.h, cover.y + cover.h),
    ];
    if (right <= left || bottom <= top) continue;
    const [wide, high] = [right - left > free.w * SPAN, bottom - top > free.h * SPAN];
    if (!wide || high) {
      if (left + right > 2 * free.x + free.w) slack.right = Math.max(slack.right, free.x + free.w - left + EDGE);
      else slack.left = Math.max(slack.left, right - free.x + EDGE);
    }
    if (!high || wide) {
      if (top + bottom > 2 * free.y + free.h) slack.bottom = Math.max(slack.bottom, free.y + free.h - top + EDGE);
      else slack.top = Math.max(slack.top, bottom - free.y + EDGE);
    }
  }
  return slack;
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
  if (zoom <= 1 && factor < 1) return whole(frame);
  const by = zoom / view.zoom;
  return kept({ zoom, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, frame);
}

/** Return the view after two fingers moved: what was under them stays under them. */
export function pinched(
  view: View,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  frame: Frame,
): View {
  const from = middle(...before);
  const to = middle(...after);
  const factor = apart(...after) / Math.max(1, apart(...before));
  const moved = { zoom: view.zoom, x: view.x + to.x - from.x, y: view.y + to.y - from.y };
  return zoomed(moved, factor, to, frame);
}

/** Return the view moved, no more than needed, so that a point of the sheet is `margin` pixels inside the free part, and under none of the covers. */
export function revealing(view: View, point: Point, margin: number, frame: Frame, covers: readonly Box[] = []): View {
  const at = toScreen(view, point, frame);
  const { free, slack } = frame;
  const inside = panned(
    view,
    into(at.x - free.x, Math.min(margin, free.w / 2), free.w),
    into(at.y - free.y, Math.min(margin, free.h / 2), free.h),
    frame,
  );
  const { x, y } = toScreen(inside, point, frame);
  const cover = covers.find(
    (one) => x > one.x - EDGE && x < one.x + one.w + EDGE && y > one.y - EDGE && y < one.y + one.h + EDGE,
  );
  if (!cover || !slack) return inside;
  const ways = [
    { on: slack.right, dx: cover.x - EDGE - x, dy: 0 },
    { on: slack.left, dx: cover.x + cover.w + EDGE - x, dy: 0 },
    { on: slack.bottom, dx: 0, dy: cover.y - EDGE - y },
    { on: slack.top, dx: 0, dy: cover.y + cover.h + EDGE - y },
  ].filter(({ on }) => on > 0);
  const [way] = ways.sort((one, other) => Math.abs(one.dx + one.dy) - Math.abs(other.dx + other.dy));
  return way ? panned(inside, way.dx, way.dy, frame) : inside;
}

/**
 * Return the view moved, no more than needed, so that a part of the sheet lies beside what covers it: on that side where most
 * of it can be seen.
 */
export function beside(view: View, part: Box, frame: Frame, covers: readonly Box[]): View {
  const { free } = frame;
  const [right, bottom] = [free.x + free.w, free.y + free.h];
  let rests = [free];
  for (const { x, y, w, h } of covers)
    rests = rests.flatMap((rest) => [
      meeting(rest, { ...free, w: x - EDGE - free.x }),
      meeting(rest, { ...free, h: y - EDGE - free.y }),
      meeting(rest, { ...free, x: x + w + EDGE, w: right - x - w - EDGE }),
      meeting(rest, { ...free, y: y + h + EDGE, h: bottom - y - h - EDGE }),
    ]);
  const scale = fit(frame) * view.zoom;
  const seen = ({ w, h }: Box) => Math.min(1, w / (part.w * scale)) * Math.min(1, h / (part.h * scale));
  const views = rests
    .filter(({ w, h }) => w > 0 && h > 0)
    .map((rest) => {
      const { x, y } = toScreen(view, part, frame);
      const by = {
        x: shift(x - rest.x, part.w * scale, rest.w),
        y: shift(y - rest.y, part.h * scale, rest.h),
      };
      return { next: panned(view, by.x, by.y, frame), seen: seen(rest), far: Math.hypot(by.x, by.y) };
    })
    .sort((one, other) => other.seen - one.seen || one.far - other.far);
  return views[0]?.next ?? view;
}

/** How far something `long` that begins `at` is to be moved so that it lies in a room; in the middle where it is longer. */
function shift(at: number, long: number, room: number): number {
  if (long > room) return (room - long) / 2 - at;
  return Math.max(0, -at) - Math.max(0, at + long - room);
}

function meeting(one: Box, other: Box): Box {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  return { x, y, w: Math.min(one.x + one.w, other.x + other.w) - x, h: Math.min(one.y + one.h, other.y + other.h) - y };
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
