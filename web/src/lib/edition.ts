/** An edition as the server describes it: its board, its tickets and its numbers. */
import type { CityFact, EditionDocument, EditionNumbers, RouteFact, TicketInPlay } from '../protocol.gen.ts';

export const CARDS = ['purple', 'blue', 'orange', 'white', 'green', 'yellow', 'black', 'red', 'locomotive'] as const;

/** An edition whose cities, routes and tickets are found by id. */
export class Edition {
  readonly document: EditionDocument;
  readonly #colors: readonly string[];
  readonly cities: ReadonlyMap<string, CityFact>;
  readonly routes: ReadonlyMap<string, RouteFact>;
  readonly tickets: ReadonlyMap<string, TicketInPlay>;

  /** The big cities of an edition that is played with their tickets only; empty for every other. */
  readonly bigCities: ReadonlySet<string>;

  /** `colors`: those of the players, where they are not the edition's. */
  constructor(document: EditionDocument, colors: readonly string[] = []) {
    this.document = document;
    this.#colors = colors.length ? colors : document.edition.player_colors;
    this.cities = new Map(document.cities.map((city) => [city.id, city]));
    this.routes = new Map(document.routes.map((route) => [route.id, route]));
    this.tickets = new Map(document.in_play.map((ticket) => [ticket.id, ticket]));
    this.bigCities = new Set(document.big_cities);
  }

  get numbers(): EditionNumbers {
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

  /** The points for a route of a length. */
  points = (length: number): number => this.numbers.route_points[String(length)] ?? 0;

  colorOf = (seat: number): string => this.#colors[seat] ?? 'gray';
}
