import { distancesFrom } from '../../lib/paths.ts';
import { load, save } from '../../lib/storage.ts';
import type { TableModel } from '../../lib/table.svelte.ts';
import type { RouteFact } from '../../protocol.gen.ts';
import { ofOthers, ownStations, usable } from '../marks.ts';
import { costOf, missingCards, planWays, type Missing, type Pin } from './plan.ts';
import { borrowable, withLoans, type Loan } from './stations.ts';

/** A route of the plan that is not claimed yet. */
export interface Step {
  readonly route: RouteFact;
  /** Others who own a route at one of its ends. */
  readonly rivals: readonly number[];
  /** In how many ways the tunnel costs nothing, one, two or three more; null for other routes. */
  readonly odds: readonly number[] | null;
}

/** A station that is not built, and what it would save. */
export interface StationOffer extends Loan {
  /** The trains that the plan would need less. */
  readonly saved: number;
  /** The tickets that would have a way again. */
  readonly found: readonly string[];
}

const MOST_BENDS = 3;
const TRIED = 6; // routes that might be borrowed: the most promising are planned with

/**
 * The ways that this viewer has pinned for tickets, drawn anew after every move of anybody. They are
 * kept in this browser, by table; nobody else learns of them.
 */
export class Planner {
  /** A press on a route bends the way. */
  bending = $state(false);
  #pins = $state.raw<readonly Pin[]>([]);
  #avoided = $state.raw<ReadonlySet<string>>(new Set());
  #stations = $state.raw<readonly Loan[]>([]);
  readonly #model: TableModel;

  /** What is pinned among the tickets that are held and not completed. */
  readonly pins: readonly Pin[] = $derived.by(() => {
    const open = new Set(this.#model.own?.tickets.flatMap(({ id, done }) => (done ? [] : [id])));
    return this.#pins.filter((pin) => open.has(pin.ticket));
  });
  readonly avoided: ReadonlySet<string> = $derived(this.#avoided);
  readonly #left: readonly RouteFact[] = $derived.by(() => (this.pins.length ? usable(this.#model) : []));
  readonly #others: readonly RouteFact[] = $derived.by(() =>
    this.pins.length && this.#model.edition?.numbers.stations ? ofOthers(this.#model) : [],
  );
  /** Stations that are planned and can still be built, with the route that each is to borrow. */
  readonly stations: readonly Loan[] = $derived.by(() => {
    const { public: game, seat, stations } = this.#model;
    const lent = new Set(this.#others.map((route) => route.id));
    const possible = this.#stations.filter(({ city, route }) => stations[city] === undefined && lent.has(route));
    return possible.slice(0, game?.seats[seat ?? -1]?.stations_left ?? 0);
  });
  readonly #plan = $derived.by(() => this.#planWith(this.stations));
  /** The way of every pinned ticket; null where none is left. */
  readonly ways = $derived.by(() => this.#plan.ways);
  /** The routes of others that these ways lead over, and the stations that borrow them. */
  readonly loans: readonly Loan[] = $derived.by(() => this.#plan.loans);
  /** What ways lead over: what is left, and what is borrowed now. */
  readonly #routes: readonly RouteFact[] = $derived.by(() => {
    const lent = new Set(this.loans.map((loan) => loan.route));
    return [
      ...this.#left,
      ...this.#others.filter((route) => lent.has(route.id)).map((route) => ({ ...route, length: 0 })),
    ];
  });
  /** The station that would save most, if one would. */
  readonly offer: StationOffer | null = $derived.by(() => this.#bestStation());
  /** All routes on these ways, own ones too. */
  readonly routes: ReadonlySet<string> = $derived.by(
    () => new Set([...this.ways.values()].flatMap((way) => way ?? [])),
  );
  readonly lost: readonly string[] = $derived.by(() =>
    [...this.ways].flatMap(([ticket, way]) => (way === null ? [ticket] : [])),
  );
  readonly steps: readonly Step[] = $derived.by(() => {
    const { edition, seat, owners } = this.#model;
    return [...this.routes].flatMap((id): Step[] => {
      const route = edition?.routes.get(id);
      if (!route || owners[id] !== undefined) return [];
      return [{ route, rivals: this.#rivals(route, seat), odds: this.#odds(route) }];
    });
  });
  readonly trains: number = $derived.by(() => this.steps.reduce((sum, step) => sum + step.route.length, 0));
  readonly missing: Missing = $derived.by(() =>
    missingCards(
      this.steps.map((step) => step.route),
      this.#model.own?.hand ?? {},
    ),
  );

  constructor(model: TableModel) {
    this.#model = model;
    try {
      const kept = JSON.parse(load(this.#key) ?? '{}') as { pins?: Pin[]; avoided?: string[]; stations?: Loan[] };
      this.#pins = kept.pins ?? [];
      this.#avoided = new Set(kept.avoided);
      this.#stations = kept.stations ?? [];
    } catch {
      // Whatever was stored there is no plan.
    }
  }

  get #key(): string {
    // People who share a device have plans of their own.
    const { id, here, seat } = this.#model;
    return here.length ? `plan.${id}.${seat}` : `plan.${id}`;
  }

  /** Pin a way for a ticket, or give it up. */
  toggle = (ticket: string): void => {
    const pinned = this.#pins.some((pin) => pin.ticket === ticket);
    this.#pins = pinned ? this.#pins.filter((pin) => pin.ticket !== ticket) : [...this.#pins, { ticket, via: [] }];
    if (this.pins.length === 0) {
      this.#stations = [];
      this.straighten();
    }
    this.#keep();
  };

  /** Plan with a station that is not built yet, or without it. */
  toggleStation = ({ city, route }: Loan): void => {
    const planned = this.#stations.some((one) => one.city === city);
    this.#stations = planned ? this.#stations.filter((one) => one.city !== city) : [...this.stations, { city, route }];
    this.#keep();
  };

  /** Bend the plan: off a route that it leads over, or over one that it does not, by the smallest detour. */
  bend = (id: string): void => {
    if (this.#avoided.has(id)) {
      this.#avoided = new Set([...this.#avoided].filter((one) => one !== id));
    } else if (this.routes.has(id)) {
      const bent = this.#pins.some((pin) => pin.via.includes(id));
      this.#pins = this.#pins.map((pin) => ({ ...pin, via: pin.via.filter((one) => one !== id) }));
      if (!bent) this.#avoided = new Set([...this.#avoided, id]);
    } else if (this.#left.some((route) => route.id === id)) {
      this.#pins = this.#smallestDetour(id);
    }
    this.#keep();
  };

  /** Lead all ways as they are cheapest. */
  straighten = (): void => {
    this.#avoided = new Set();
    this.#pins = this.#pins.map((pin) => ({ ...pin, via: [] }));
    this.bending = false;
    this.#keep();
  };

  get bent(): boolean {
    return this.#avoided.size > 0 || this.#pins.some((pin) => pin.via.length > 0);
  }

  /** Return the ways of a plan with some stations that are not built, each of which borrows its route. */
  #planWith(planned: readonly Loan[]) {
    const tickets = this.#model.edition?.tickets ?? new Map();
    const [built, intended] = [ownStations(this.#model), planned.map((loan) => loan.route)];
    const lent = [
      ...borrowable(built, this.#others),
      ...this.#others.filter((route) => intended.includes(route.id)).map((route) => ({ ...route, length: 0 })),
    ];
    const all = [...new Map(lent.map((route) => [route.id, route])).values()];
    return withLoans(all, [...built, ...planned.map((loan) => loan.city)], (some) => {
      const routes = [...this.#left, ...some];
      const ways = planWays(this.pins, tickets, routes, this.#avoided);
      return { ways, used: new Set([...ways.values()].flatMap((way) => way ?? [])), cost: costOf(ways, routes) };
    });
  }

  #bestStation(): StationOffer | null {
    const { edition, public: game, seat, stations } = this.#model;
    if (!edition || this.pins.length === 0 || (game?.seats[seat ?? -1]?.stations_left ?? 0) <= this.stations.length)
      return null;
    const now = this.#plan;
    const lent = new Set(now.loans.map((loan) => loan.route));
    const ends = this.pins.flatMap(({ ticket }) => edition.tickets.get(ticket) ?? []);
    const distances = new Map(
      [...new Set(ends.flatMap(({ a, b }) => [a, b]))].map((city) => [city, distancesFrom(city, this.#routes)]),
    );
    const far = (from: string, to: string) => distances.get(from)?.get(to) ?? 99;
    const promising = this.#others
      .flatMap((route) => {
        const city = [route.a, route.b].find(
          (one) => stations[one] === undefined && !this.stations.some((loan) => loan.city === one),
        );
        const saved = ends.reduce((sum, { a, b }) => {
          const over = Math.min(far(a, route.a) + far(b, route.b), far(a, route.b) + far(b, route.a));
          return sum + Math.max(0, far(a, b) - over);
        }, 0);
        return city !== undefined && !lent.has(route.id) && saved > 0 ? [{ city, route: route.id, saved }] : [];
      })
      .sort((a, b) => b.saved - a.saved)
      .slice(0, TRIED);
    const tried = promising.map(({ city, route }) => ({
      city,
      route,
      plan: this.#planWith([...this.stations, { city, route }]),
    }));
    const [best] = tried.sort((a, b) => a.plan.cost - b.plan.cost);
    if (!best || best.plan.cost >= now.cost) return null;
    const found = this.lost.filter((ticket) => best.plan.ways.get(ticket) != null);
    const trains = (ways: typeof now.ways) =>
      costOf(new Map([...ways].filter(([ticket, way]) => way !== null && !found.includes(ticket))), this.#left);
    return { city: best.city, route: best.route, saved: trains(now.ways) - trains(best.plan.ways), found };
  }

  #smallestDetour(id: string): readonly Pin[] {
    const tickets = this.#model.edition?.tickets ?? new Map();
    const tries = this.pins.flatMap((bent) => {
      if (bent.via.length >= MOST_BENDS) return [];
      const pins = this.#pins.map((pin) => (pin === bent ? { ...pin, via: [...pin.via, id] } : pin));
      const ways = planWays(pins, tickets, this.#routes, this.#avoided);
      if (ways.get(bent.ticket) == null) return [];
      const used = new Set([...ways.values()].flatMap((way) => way ?? []));
      const length = this.#left.reduce((sum, route) => sum + (used.has(route.id) ? route.length : 0), 0);
      return [{ pins, length }];
    });
    return tries.sort((a, b) => a.length - b.length)[0]?.pins ?? this.#pins;
  }

  #rivals(route: RouteFact, seat: number | null): number[] {
    const { edition, public: game } = this.#model;
    const ends = [route.a, route.b];
    return (game?.seats ?? []).flatMap((other, at) => {
      if (at === seat) return [];
      const near = other.routes.some((id) => {
        const theirs = edition?.routes.get(id);
        return theirs && (ends.includes(theirs.a) || ends.includes(theirs.b));
      });
      return near ? [at] : [];
    });
  }

  /** The odds of a tunnel; a grey one as if it were paid in the colour of which the hand has most. */
  #odds(route: RouteFact): readonly number[] | null {
    const { own } = this.#model;
    if (!route.tunnel || !own) return null;
    const colors = Object.keys(own.hand).filter((card) => card !== 'locomotive');
    const most = colors.sort((a, b) => (own.hand[b] ?? 0) - (own.hand[a] ?? 0))[0] ?? 'locomotive';
    return own.tunnel_odds?.[route.color === 'gray' ? most : route.color] ?? null;
  }

  #keep(): void {
    save(this.#key, JSON.stringify({ pins: this.#pins, avoided: [...this.#avoided], stations: this.#stations }));
  }
}
