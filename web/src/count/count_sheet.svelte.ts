/** What people enter of a game on their table: one thing at a time, kept in this browser, taken back as often as wanted. */
import { load, save } from '../lib/storage.ts';
import type { CountChange, CountTable } from '../protocol.gen.ts';

/** What was entered, by key: `edition`, `players`, `name:0`, `color:0`, `route:…`, `station:…` and `ticket:…` with a seat. */
export type Entries = Readonly<Record<string, string>>;
export type Piece = 'route' | 'station' | 'ticket';

const KEY = 'count';
const MOST_BACK = 2_000;

export const START: Entries = { edition: 'europe', players: '4' };

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).length <= 600 &&
  Object.values(value).every((one) => typeof one === 'string' && one.length <= 80);

/** Return what was kept under a key; what is no sheet is none. */
export function keptEntries(key: string = KEY): Entries | null {
  try {
    const found: unknown = JSON.parse(load(key) ?? 'null');
    return isEntries(found) ? found : null;
  } catch {
    return null;
  }
}

/** The sheet of one game. */
export class CountSheet {
  entries = $state.raw<Entries>(START);
  readonly players = $derived(Math.min(6, Math.max(2, Number(this.entries['players']) || 2)));
  readonly edition = $derived(this.entries['edition'] ?? 'europe');
  /** Whether anything lies on the table yet. */
  readonly begun = $derived(Object.keys(this.entries).some((key) => /^(route|station|ticket):/.test(key)));
  #back = $state.raw<readonly Entries[]>([]);
  readonly canUndo = $derived(this.#back.length > 0);
  /** What others have to be told, where several people enter. */
  onchange: ((changes: readonly CountChange[]) => void) | null = null;

  constructor(entries: Entries) {
    this.entries = entries;
  }

  /** Enter something, or take it away (null). */
  put(changes: Readonly<Record<string, string | null>>): void {
    const changed = Object.entries(changes).filter(([key, value]) => (this.entries[key] ?? null) !== value);
    if (!changed.length) return;
    this.#back = [...this.#back, Object.fromEntries(changed.map(([key]) => [key, this.entries[key] ?? '']))].slice(
      -MOST_BACK,
    );
    this.#apply(changed);
    this.onchange?.(changed.map(([key, value]) => ({ key, value })));
  }

  /** Take back what was entered last on this device. */
  undo = (): void => {
    const last = this.#back.at(-1);
    if (!last) return;
    this.#back = this.#back.slice(0, -1);
    const changes = Object.entries(last).map(([key, value]) => [key, value === '' ? null : value] as const);
    this.#apply(changes);
    this.onchange?.(changes.map(([key, value]) => ({ key, value })));
  };

  /** Take in what others entered. */
  receive(changes: readonly CountChange[]): void {
    this.#apply(changes.map(({ key, value }) => [key, value]));
  }

  #apply(changes: readonly (readonly [string, string | null])[]): void {
    const entries: Record<string, string> = { ...this.entries };
    for (const [key, value] of changes)
      if (value === null) delete entries[key];
      else entries[key] = value;
    this.entries = entries;
    save(KEY, JSON.stringify(entries));
  }

  owner(kind: Piece, id: string): number | undefined {
    const value = this.entries[`${kind}:${id}`];
    return value === undefined ? undefined : Number(value);
  }

  /** Return the ids of all pieces of a kind, or those of a seat, in the order in which they were entered. */
  of(kind: Piece, seat?: number): string[] {
    return Object.entries(this.entries).flatMap(([key, value]) =>
      key.startsWith(`${kind}:`) && (seat === undefined || Number(value) === seat) ? [key.slice(kind.length + 1)] : [],
    );
  }

  /** Give a piece to a seat; of a seat that has it, take it away. */
  press(kind: Piece, id: string, seat: number): void {
    this.put({ [`${kind}:${id}`]: this.owner(kind, id) === seat ? null : String(seat) });
  }

  name = (seat: number): string => this.entries[`name:${seat}`] ?? '';

  /** Return the colours of all seats: those chosen, and for the others the first ones that are free. */
  colors(all: readonly string[]): string[] {
    const wanted = Array.from({ length: this.players }, (_, seat) => this.entries[`color:${seat}`]);
    const free = all.filter((color) => !wanted.includes(color));
    return wanted.map((color) => (color !== undefined && all.includes(color) ? color : (free.shift() ?? 'gray')));
  }

  /** Return the table as the server scores it. */
  table(nameOf: (seat: number) => string, colors: readonly string[]): CountTable {
    return {
      edition: this.edition,
      extras: [],
      seats: Array.from({ length: this.players }, (_, seat) => ({
        routes: this.of('route', seat),
        stations: this.of('station', seat),
        tickets: this.of('ticket', seat),
        name: nameOf(seat).slice(0, 40),
        color: colors[seat] ?? 'gray',
      })),
    };
  }

  /** Clear the table for another game of the same people. */
  clear(): void {
    const gone = Object.keys(this.entries).filter((key) => /^(route|station|ticket):/.test(key));
    this.put(Object.fromEntries(gone.map((key) => [key, null])));
  }
}
