/** The answer of `api/editions/{edition}`: the board and the numbers of an edition. */

export const CARDS = [
  'purple', 'blue', 'orange', 'white', 'green', 'yellow', 'black', 'red', 'locomotive',
] as const;
export type Card = (typeof CARDS)[number];

export interface City {
  readonly id: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
}

export interface Route {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly length: number;
  readonly color: string;
  readonly ferry: number;
  readonly tunnel: boolean;
}

export interface TicketInfo {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly points: number;
  readonly long: boolean;
}

export interface EditionDocument {
  readonly board: string;
  readonly cities: readonly City[];
  readonly routes: readonly Route[];
  readonly in_play: readonly TicketInfo[];
  readonly edition: {
    readonly id: string;
    readonly name: string;
    readonly stations: number;
    readonly trains: number;
    readonly ticket_draw: number;
    readonly ticket_keep: number;
    readonly longest_bonus: number;
    readonly tie_break: readonly string[];
    readonly player_colors: readonly string[];
    readonly route_points: Readonly<Record<string, number>>;
  };
}

/** An edition with its things by name. */
export class Edition {
  readonly document: EditionDocument;
  readonly cities: ReadonlyMap<string, City>;
  readonly routes: ReadonlyMap<string, Route>;
  readonly tickets: ReadonlyMap<string, TicketInfo>;

  constructor(document: EditionDocument) {
    this.document = document;
    this.cities = new Map(document.cities.map((city) => [city.id, city]));
    this.routes = new Map(document.routes.map((route) => [route.id, route]));
    this.tickets = new Map(document.in_play.map((ticket) => [ticket.id, ticket]));
  }

  get numbers(): EditionDocument['edition'] {
    return this.document.edition;
  }

  cityName = (id: string): string => this.cities.get(id)?.name ?? id;

  routeName(id: string): string {
    const route = this.routes.get(id);
    return route ? `${this.cityName(route.a)} – ${this.cityName(route.b)}` : id;
  }

  ticketName(id: string): string {
    const ticket = this.tickets.get(id);
    return ticket ? `${this.cityName(ticket.a)} – ${this.cityName(ticket.b)}` : id;
  }

  points = (length: number): number => this.numbers.route_points[String(length)] ?? 0;

  colorOf = (seat: number): string => this.numbers.player_colors[seat] ?? 'gray';
}
