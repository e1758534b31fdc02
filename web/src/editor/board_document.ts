/** A board file as it is edited: what it holds, its text, and ids for what is new. What is right the server says. */

export interface CityEntry {
  readonly id: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  /** The side of it on which its name stands, and whether it never steps aside for routes. */
  readonly side?: string;
  readonly fixed?: boolean;
}
export interface RouteEntry {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly length: number;
  readonly color: string;
  readonly ferry?: number;
  readonly tunnel?: boolean;
  /** By how many hundredths of its length the line bows to the left, from `a` to `b`. */
  readonly bend?: number;
}
export interface TicketEntry {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly points: number;
  readonly set?: string;
  readonly long?: boolean;
  readonly big_city?: boolean;
}
/** Members that the editor does not know are carried along. */
export interface BoardDocument {
  readonly board: string;
  readonly cities: readonly CityEntry[];
  readonly routes: readonly RouteEntry[];
  readonly tickets: readonly TicketEntry[];
  readonly edition?: Readonly<Record<string, unknown>>;
}

/** The sides of a city, clockwise. */
export const SIDES = ['e', 'se', 's', 'sw', 'w', 'nw', 'n', 'ne'] as const;
export const MAX_BEND = 40;

export const BLANK: BoardDocument = {
  board: 'my-board',
  cities: [],
  routes: [],
  tickets: [],
  edition: { name: 'My board' },
};

const isList = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length <= 500 && value.every((one) => typeof one === 'object' && one !== null);
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 200;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Return the board of a file of ours, or null for anything that cannot be edited. */
export function readBoard(text: string): BoardDocument | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null) return null;
  const { board, cities, routes, tickets } = read as Record<string, unknown>;
  if (!isText(board) || !isList(cities) || !isList(routes) || !isList(tickets)) return null;
  const ends = (one: Record<string, unknown>) => isText(one['id']) && isText(one['a']) && isText(one['b']);
  if (!cities.every((one) => isText(one['id']) && isText(one['name']) && isNumber(one['lat']) && isNumber(one['lon'])))
    return null;
  if (!routes.every((one) => ends(one) && isNumber(one['length']) && isText(one['color']))) return null;
  if (!tickets.every((one) => ends(one) && isNumber(one['points']))) return null;
  return read as unknown as BoardDocument;
}

/** Return the text of a board file: a line for each city, route and ticket, so that a problem has its line. */
export function boardText(document: BoardDocument): string {
  const lines = Object.entries(document).map(([key, value]: [string, unknown]) => {
    const rows =
      Array.isArray(value) && ['cities', 'routes', 'tickets'].includes(key)
        ? value.length
          ? `[\n${value.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`
          : '[]'
        : JSON.stringify(value);
    return `  ${JSON.stringify(key)}: ${rows}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Return an id for a name that is not taken yet. */
export function idFor(name: string, taken: readonly { readonly id: string }[], between = '_'): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9:-]+/g, between)
    .replace(/^[_-]+|[_-]+$/g, '');
  const base = (between === '_' ? plain.replace(/[:-]/g, '_') : plain).slice(0, 60) || 'city';
  const known = new Set(taken.map(({ id }) => id));
  if (!known.has(base)) return base;
  for (let number = 2; ; number += 1) if (!known.has(`${base}${between}${number}`)) return `${base}${between}${number}`;
}
