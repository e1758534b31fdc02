/** Where the arrow of a lesson stands: beside a part of the table, and over nothing that can be pressed or read. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
export interface ArrowPlace {
  /** Where its tip is. */
  readonly x: number;
  readonly y: number;
  /** By how many degrees it is turned about its tip; without, it stands above the part and points down. */
  readonly turn: 0 | 90 | 180 | 270;
}

/** The size of an arrow that points down, in pixels. */
const [WIDE, HIGH] = [32, 40];
/** Along an edge of the part: the middle is best. */
const ALONG = [0.5, 0.25, 0.75] as const;

/** Return the best place at a part: the first inside the window whose box is free; where none is, the first inside. */
export function arrowPlace(
  part: Box,
  window: { readonly width: number; readonly height: number },
  free: (box: Box) => boolean,
): ArrowPlace {
  const { left, top, width, height } = part;
  const across = ALONG.map((share) => left + share * width);
  const down = ALONG.map((share) => top + share * height);
  const places: ArrowPlace[] = [
    ...across.map((x) => ({ x, y: top, turn: 0 as const })),
    ...across.map((x) => ({ x, y: top + height, turn: 180 as const })),
    ...down.map((y) => ({ x: left, y, turn: 270 as const })),
    ...down.map((y) => ({ x: left + width, y, turn: 90 as const })),
  ];
  const inside = places.filter((place) => {
    const box = boxOf(place);
    return (
      box.left >= 0 && box.top >= 0 && box.left + box.width <= window.width && box.top + box.height <= window.height
    );
  });
  return inside.find((place) => free(boxOf(place))) ?? inside[0] ?? places[0]!;
}

/** Return what an arrow covers. */
export function boxOf({ x, y, turn }: ArrowPlace): Box {
  switch (turn) {
    case 0:
      return { left: x - WIDE / 2, top: y - HIGH, width: WIDE, height: HIGH };
    case 180:
      return { left: x - WIDE / 2, top: y, width: WIDE, height: HIGH };
    case 270:
      return { left: x - HIGH, top: y - WIDE / 2, width: HIGH, height: WIDE };
    case 90:
      return { left: x, top: y - WIDE / 2, width: HIGH, height: WIDE };
  }
}
