/**
 * The layout of the table: the map is the page, and panels lie on it.
 *
 * It follows from the size of the window and the shape of the board alone. Nothing that opens or
 * closes changes it, so that the map never moves by itself.
 */
import type { Insets } from '../board/zoom/view.ts';

export interface Layout {
  /** Where the cards are: in a column at the right, or at the foot of the page. */
  readonly cards: 'side' | 'foot';
  /** A phone: panels open over the map. */
  readonly small: boolean;
  /** Display and hand in one row, at the foot of the page. */
  readonly oneRow: boolean;
  /** Players in the same row as the prompt. */
  readonly oneHead: boolean;
  /** Display and hand have two rows of cards each, at the foot of the page. */
  readonly twoRows?: boolean;
  /** How many times as large as usual the letters of head and tabs are: as large as they fit. */
  readonly letters: number;
  /** How many times as large as usual the buttons of the map are. */
  readonly tools: number;
  /** Pixels of the tabs, the head, the column at the right and the foot. */
  readonly tabs: number;
  readonly head: number;
  readonly side: number;
  readonly foot: number;
  /** Pixels of the line over the hand that says whose it is, where people share a device; else 0. */
  readonly whose: number;
  /** Pixels above the foot that the map leaves free: a panel has its place there. */
  readonly spare: number;
  /** Pixels of the cards to draw from, at the head of the column. */
  readonly display: number;
  /** Pixels of the log and talk at the foot of the column, where there is room for them below tickets and planner; else 0. */
  readonly below: number;
  /** Pixels of the width of a panel or question that lies over the map, of the score at the end, and of tickets on offer in a corner. */
  readonly panel: number;
  readonly score: number;
  readonly slip: number;
  /** What of the window is covered, for the map. */
  readonly insets: Insets;
}

/** Whether the map is to be seen, and how much of it is covered besides, in pixels. */
export interface MapPlace {
  shown: boolean;
  above: number;
  below: number;
}

const WIDE = 1.45; // from this shape on, there is more room at the side than at the foot
const TABS = 48;
const FOOT = 104; // pixels of the hand on a large screen
const PAD = 2;
const COLUMN = { least: 260, share: 0.2, most: 360 }; // pixels of the column at the right, by the width of the window
const TALL = 860; // pixels of a window: from this height on, the column has room for two panels
const OVER = 372; // pixels of a panel that lies over the map
const SCORE = 420; // pixels of the score at the end
const LARGE = 1_400; // pixels of a window: from this height on, the hand grows with it
const PANEL = 170; // pixels: the least height of a panel that stays open
const ROOMY = 400; // pixels of a map, from which a strip can be spared
const WHOSE = 20; // pixels of the line that says whose hand it is
const TAKEN = 16; // pixels under the chips of a phone, for the cards that players have taken: they hide no city

const between = (least: number, value: number, most: number) => Math.round(Math.max(least, Math.min(most, value)));

/**
 * Return the layout of a window; `shape` is the width of the board's content by its height, `text` how many times as large as
 * usual text is. Spectators have no `hand`; where people share the device, it says whose it is (`shared`).
 */
export function layoutOf(width: number, height: number, shape: number, text = 1, hand = true, shared = false): Layout {
  const side = width / height >= WIDE && width >= 600;
  const whose = hand && shared ? WHOSE : 0;
  return side ? atTheSide(width, height, text, hand, whose) : atTheFoot(width, height, shape, text, hand, whose);
}

function atTheSide(width: number, height: number, text: number, hand: boolean, line: number): Layout {
  const small = height < 500;
  const letters = Math.min(text, small ? 1.15 : Math.max(1, width / 850));
  const head = Math.round((small ? 46 : 48) * letters);
  const whose = Math.round(line * letters);
  const foot = small || !hand ? 0 : between(76, height * 0.074, FOOT * Math.max(1, height / LARGE)) + whose;
  const side = small
    ? between(200, width * 0.27, 220)
    : Math.round(
        between(COLUMN.least, width * COLUMN.share, COLUMN.most * Math.max(1, height / LARGE)) * Math.min(text, 1.2),
      );
  // Two rows of cards, a rule, and three actions with their names.
  const card = (side - 28) / 3;
  const display = small ? 100 : Math.round(2 * (card * 0.667 + 6) + 30 + 66 * letters);
  const below = !small && height >= TALL ? Math.round((height - head - display) * 0.42) : 0;
  return {
    cards: 'side',
    small,
    oneRow: false,
    oneHead: true,
    letters,
    tools: small ? 1 : foot ? Math.max(1, (foot - whose) / FOOT) : letters,
    tabs: Math.round(TABS * (small ? 1 : letters)),
    head,
    side,
    foot,
    whose,
    spare: 0,
    display,
    below,
    panel: Math.min(OVER, width - side - 60),
    score: Math.round(Math.max(side, Math.min(SCORE, width / 2))),
    slip: Math.round(SLIP * text),
    insets: { top: head + PAD, right: side + PAD, bottom: foot + PAD, left: PAD },
  };
}

function atTheFoot(width: number, height: number, shape: number, text: number, hand: boolean, line: number): Layout {
  const small = width < 600;
  const oneRow = width >= 900;
  const letters = Math.min(text, small ? 1.3 : Math.max(1, width / 640));
  // Larger letters need another line on a phone.
  const head = Math.round((oneRow ? 52 : small ? 98 : 100) * letters) + (small && letters > 1 ? 26 : 0);
  const row = small ? 54 : 78;
  const whose = Math.round(line * letters);
  const foot = (oneRow || !hand ? row : 2 * row) + whose + TABS;
  const free = height - head - foot - 2 * PAD;
  const left = Math.floor(free - (width - 2 * PAD) / shape);
  const strip = !small || !hand ? 0 : left >= PANEL ? Math.min(TAKEN, left - PANEL) : free > ROOMY ? TAKEN : 0;
  const spare = left >= PANEL ? left - strip : 0;
  return {
    cards: 'foot',
    small,
    oneRow,
    oneHead: oneRow,
    letters,
    tools: 1,
    tabs: TABS,
    head,
    side: 0,
    foot,
    whose,
    spare,
    display: 0,
    below: 0,
    panel: 400,
    score: 400,
    slip: Math.round(SLIP * text),
    insets: { top: head + strip + PAD, right: PAD, bottom: foot + spare + PAD, left: PAD },
  };
}

/** Return the measures of a layout as custom properties of its page. */
export const measuresOf = (layout: Layout): string =>
  MEASURES.map((name) => `--${name}:${layout[name]}px;`).join('') +
  `--letters:${layout.letters};--tools:${layout.tools}`;

const MEASURES = [
  'tabs',
  'head',
  'side',
  'foot',
  'whose',
  'spare',
  'display',
  'below',
  'panel',
  'score',
  'slip',
] as const;

/** Return a layout in words, and what is true `now` besides: classes of every part of the table. */
export const classesOf = (
  { cards, small, oneRow, below, spare }: Layout,
  now: Readonly<Record<string, boolean | undefined>>,
): string =>
  [cards, ...Object.entries({ small, 'one-row': oneRow, tall: below, spare, ...now }).map(([name, is]) => is && name)]
    .filter(Boolean)
    .join(' ');

/** A corner of the map, as on a compass. */
export type Corner = 'nw' | 'sw' | 'ne' | 'se';

/** What lies on the map at a place of the window, and how much it would be missed. */
export interface Seen {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

const SLIP = 216; // pixels: the width of an offer in a corner
const STRIP = { wide: 720, high: 150 }; // pixels of an offer along the foot

/**
 * Return the corner of the map in which a tablet shows this many tickets on offer, one below another, or null where they hide
 * less in a row along the foot: there the cities must be seen that the tickets name.
 */
export function cornerFor(
  { head, foot, slip: wide }: Layout,
  width: number,
  height: number,
  tickets: number,
  seen: readonly Seen[],
  text = 1,
): Corner | null {
  const high = (138 + 68 * tickets) * text;
  if (high > height - head - foot) return null;
  const missed = (left: number, top: number, w: number, h: number) =>
    seen.reduce((sum, { x, y, weight }) => sum + (x > left && x < left + w && y > top && y < top + h ? weight : 0), 0);
  const [right, low] = [width - wide, height - foot - high];
  const corners: readonly (readonly [Corner, number])[] = [
    ['nw', missed(0, head, wide, high)],
    ['sw', missed(0, low, wide, high)],
    ['ne', missed(right, head, wide, high)],
    ['se', missed(right, low, wide, high)],
  ];
  const strip = missed((width - STRIP.wide) / 2, height - foot - STRIP.high * text, STRIP.wide, STRIP.high * text);
  const [corner, least] = corners.reduce((best, one) => (one[1] < best[1] ? one : best));
  return least < strip ? corner : null;
}

const TICKET = { wide: 156, high: 76 }; // pixels of a ticket on offer, with what is between two
const OFFER = 150; // pixels of an offer without its tickets

/** Whether this many tickets on offer leave the log its room in the column. */
export function offerFits(layout: Layout, height: number, tickets: number, text = 1): boolean {
  const { head, display, tabs, below, side } = layout;
  const across = Math.max(1, Math.floor((side - 24) / (TICKET.wide * text)));
  return (OFFER + TICKET.high * Math.ceil(tickets / across)) * text <= height - head - display - tabs - below;
}

const TWO_ROWS = 600; // pixels: from this height on, a phone has room for two rows of cards each
const ROW = 54;

/** Return the layout of a phone at a table for the room: the cards are larger, since the map is on the screen. */
export function layoutInHand(width: number, height: number, text = 1): Layout {
  const usual = layoutOf(width, height, 1, text);
  if (usual.cards === 'side') return usual;
  const twoRows = height >= TWO_ROWS;
  const foot = (twoRows ? 4 : 2) * ROW + TABS;
  return { ...usual, twoRows, foot, spare: 0, insets: { ...usual.insets, bottom: foot + PAD } };
}
