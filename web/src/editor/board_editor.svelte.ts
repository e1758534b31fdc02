/** The board that is edited: every change can be taken back and done again, and is kept in this browser. */
import { load, save } from '../lib/storage.ts';
import type { Playtest } from '../protocol.gen.ts';
import {
  BLANK,
  boardText,
  idFor,
  readBoard,
  type BoardDocument,
  type CityEntry,
  type RouteEntry,
  type TicketEntry,
} from './board_document.ts';

const KEY = 'editor';

export type Chosen = { readonly kind: 'city' | 'route'; readonly id: string } | null;

export class BoardEditor {
  document = $state.raw<BoardDocument>(BLANK);
  chosen = $state.raw<Chosen>(null);
  /** The board as bots played it last, and what they found. */
  tried = $state.raw<{ readonly board: string; readonly found: Playtest } | null>(null);
  #past = $state.raw<readonly BoardDocument[]>([]);
  #future = $state.raw<readonly BoardDocument[]>([]);
  /** The board as it was exported last. */
  #exported = $state.raw<BoardDocument | null>(null);
  readonly canUndo = $derived(this.#past.length > 0);
  readonly canRedo = $derived(this.#future.length > 0);
  /** Changes that no file has yet. */
  readonly unsaved = $derived(this.#past.length > 0 && this.#exported !== this.document);
  readonly city = $derived(
    this.chosen?.kind === 'city' ? this.document.cities.find(({ id }) => id === this.chosen!.id) : undefined,
  );
  readonly route = $derived(
    this.chosen?.kind === 'route' ? this.document.routes.find(({ id }) => id === this.chosen!.id) : undefined,
  );
  readonly names = $derived(new Map(this.document.cities.map(({ id, name }) => [id, name])));

  /** `inFile`: the board is in a file on a disk, and the one that this browser keeps stays as it is. */
  constructor(readonly inFile = false) {
    if (!inFile) this.document = readBoard(load(KEY) ?? '') ?? BLANK;
  }

  get text(): string {
    return boardText(this.document);
  }

  cityName = (id: string): string => this.names.get(id) ?? id;
  routeName = ({ a, b }: { readonly a: string; readonly b: string }): string =>
    `${this.cityName(a)} – ${this.cityName(b)}`;

  /** Change the board; `from`: what it was before a change that was shown bit by bit. */
  change(document: BoardDocument, from: BoardDocument = this.document): void {
    if (document === from) return;
    this.#past = [...this.#past, from];
    this.#future = [];
    this.#set(document);
  }

  /** Show a change that goes on, as a city that is dragged; `change` ends it. */
  show(document: BoardDocument): void {
    this.document = document;
  }

  undo = (): void => {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.document];
    this.#set(before);
  };

  redo = (): void => {
    const after = this.#future.at(-1);
    if (!after) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.document];
    this.#set(after);
  };

  exported(): void {
    this.#exported = this.document;
  }

  #set(document: BoardDocument): void {
    this.document = document;
    if (!this.inFile) save(KEY, boardText(document));
    const { chosen } = this;
    const list = chosen?.kind === 'city' ? document.cities : document.routes;
    if (chosen && !list.some(({ id }) => id === chosen.id)) this.chosen = null;
  }

  addCity(name: string, lat: number, lon: number): void {
    const { document } = this;
    const id = idFor(name, document.cities);
    this.change({ ...document, cities: [...document.cities, { id, name, lat, lon }] });
    this.chosen = { kind: 'city', id };
  }

  /** The document with a city somewhere else. */
  moved(id: string, lat: number, lon: number, of: BoardDocument = this.document): BoardDocument {
    return { ...of, cities: of.cities.map((city) => (city.id === id ? { ...city, lat, lon } : city)) };
  }

  /** The document with something on its sheet settled; both halves of a double bend alike. */
  settled(
    list: 'cities' | 'routes',
    id: string,
    to: { readonly side?: string; readonly bend?: number | null },
    of: BoardDocument = this.document,
  ): BoardDocument {
    const found = of.routes.find((route) => list === 'routes' && route.id === id);
    if (!found) return { ...of, cities: of.cities.map((city) => (city.id === id ? { ...city, ...to } : city)) };
    const { a, b } = found;
    const { bend } = to;
    return {
      ...of,
      routes: of.routes.map((route) => {
        if (!((route.a === a && route.b === b) || (route.a === b && route.b === a))) return route;
        const { bend: _, ...free } = route;
        return route.id === id && typeof bend === 'number' ? { ...free, bend } : free;
      }),
    };
  }

  editCity(id: string, to: Partial<CityEntry>): void {
    const { document } = this;
    this.change({ ...document, cities: document.cities.map((city) => (city.id === id ? { ...city, ...to } : city)) });
  }

  removeCity(id: string): void {
    const { document } = this;
    const without = <T extends { readonly a: string; readonly b: string }>(all: readonly T[]) =>
      all.filter(({ a, b }) => a !== id && b !== id);
    this.change({
      ...document,
      cities: document.cities.filter((city) => city.id !== id),
      routes: without(document.routes),
      tickets: without(document.tickets),
    });
  }

  /** Join two cities; what is joined already becomes a double. */
  addRoute(a: string, b: string, length: number): void {
    const { document } = this;
    const beside = document.routes.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));
    const id = idFor(`${a}-${b}`, document.routes, '-');
    const route: RouteEntry = { id, a, b, length: beside?.length ?? length, color: 'gray' };
    this.change({ ...document, routes: [...document.routes, route] });
    this.chosen = { kind: 'route', id };
  }

  /** Change a route; both halves of a double are equally long. */
  editRoute(id: string, to: Partial<RouteEntry>): void {
    const { document } = this;
    const of = document.routes.find((route) => route.id === id);
    if (!of) return;
    const beside = (one: RouteEntry) => (one.a === of.a && one.b === of.b) || (one.a === of.b && one.b === of.a);
    this.change({
      ...document,
      routes: document.routes.map((route) =>
        route.id === id
          ? { ...route, ...to }
          : to.length !== undefined && beside(route)
            ? { ...route, length: to.length }
            : route,
      ),
    });
  }

  removeRoute(id: string): void {
    this.change({ ...this.document, routes: this.document.routes.filter((route) => route.id !== id) });
  }

  /** The deck of a ticket: its set, which is that of the board unless it has one of its own. */
  deckOf = ({ set }: TicketEntry): string => set ?? this.document.board;

  /** The decks of the board, in their order. */
  get decks(): string[] {
    return [...new Set(this.document.tickets.map(this.deckOf))];
  }

  #sets = (): string[] => {
    const found = this.document.edition?.['sets'];
    return Array.isArray(found) ? found.map(String) : this.decks;
  };

  /** Whether a deck is played with. */
  plays = (deck: string): boolean => this.#sets().includes(deck);

  play(deck: string, on: boolean): void {
    const sets = this.#sets().filter((one) => one !== deck && this.decks.includes(one));
    this.editNumbers({ sets: on ? [...sets, deck] : sets });
  }

  addTicket(a: string, b: string, points: number, deck: string): void {
    const { document } = this;
    const id = idFor(`${deck}:${a}-${b}`, document.tickets, '-');
    this.change({ ...document, tickets: [...document.tickets, { id, a, b, points, set: deck }] });
  }

  editTicket(id: string, to: Partial<TicketEntry>): void {
    const { document } = this;
    this.change({ ...document, tickets: document.tickets.map((one) => (one.id === id ? { ...one, ...to } : one)) });
  }

  removeTicket(id: string): void {
    this.change({ ...this.document, tickets: this.document.tickets.filter((one) => one.id !== id) });
  }

  editNumbers(to: Readonly<Record<string, unknown>>): void {
    this.change({ ...this.document, edition: { ...this.document.edition, ...to } });
  }
}
