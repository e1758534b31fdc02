import { load, save } from '../../lib/storage.ts';
import type { TableModel } from '../../lib/table.svelte.ts';
import type { RouteFact } from '../../protocol.gen.ts';
import { usable } from '../marks.ts';
import { missingCards, planWays, type Missing, type Pin } from './plan.ts';

/** A route of the plan that is not claimed yet. */
export interface Step {
  readonly route: RouteFact;
  /** Others who own a route at one of its ends. */
  readonly rivals: readonly number[];
  /** In how many ways the tunnel costs nothing, one, two or three more; null for other routes. */
  readonly odds: readonly number[] | null;
}

const MOST_BENDS = 3;

/**
 * The ways that this viewer has pinned for tickets, drawn anew after every move of anybody. They are
 * kept in this browser, by table; nobody else learns of them.
 */
export class Planner {
  /** A press on a route bends the way. */
  bending = $state(false);
  #pins = $state.raw<readonly Pin[]>([]);
  #avoided = $state.raw<ReadonlySet<string>>(new Set());
  readonly #model: TableModel;

  /** What is pinned among the tickets that are held and not completed. */
  readonly pins: readonly Pin[] = $derived.by(() => {
    const open = new Set(this.#model.own?.tickets.flatMap(({ id, done }) => (done ? [] : [id])));
    return this.#pins.filter((pin) => open.has(pin.ticket));
  });
  readonly avoided: ReadonlySet<string> = $derived(this.#avoided);
  readonly #left: readonly RouteFact[] = $derived.by(() => (this.pins.length ? usable(this.#model) : []));
  /** The way of every pinned ticket; null where none is left. */
  readonly ways = $derived.by(() => planWays(this.pins, this.#model.edition?.tickets ?? new Map(), this.#left, this.#avoided));
  /** All routes on these ways, own ones too. */
  readonly routes: ReadonlySet<string> = $derived.by(() => new Set([...this.ways.values()].flatMap((way) => way ?? [])));
  readonly lost: readonly string[] = $derived.by(() => [...this.ways].flatMap(([ticket, way]) => (way === null ? [ticket] : [])));
  readonly steps: readonly Step[] = $derived.by(() => {
    const { edition, seat, owners } = this.#model;
    return [...this.routes].flatMap((id): Step[] => {
      const route = edition?.routes.get(id);
      if (!route || owners[id] !== undefined) return [];
      return [{ route, rivals: this.#rivals(route, seat), odds: this.#odds(route) }];
    });
  });
  readonly trains: number = $derived.by(() => this.steps.reduce((sum, step) => sum + step.route.length, 0));
  readonly missing: Missing = $derived.by(() => missingCards(this.steps.map((step) => step.route), this.#model.own?.hand ?? {}));

  constructor(model: TableModel) {
    this.#model = model;
    try {
      const kept = JSON.parse(load(this.#key) ?? '{}') as { pins?: Pin[]; avoided?: string[] };
      this.#pins = kept.pins ?? [];
      this.#avoided = new Set(kept.avoided);
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
    if (this.pins.length === 0) this.straighten();
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

  #smallestDetour(id: string): readonly Pin[] {
    const tickets = this.#model.edition?.tickets ?? new Map();
    const tries = this.pins.flatMap((bent) => {
      if (bent.via.length >= MOST_BENDS) return [];
      const pins = this.#pins.map((pin) => (pin === bent ? { ...pin, via: [...pin.via, id] } : pin));
      const ways = planWays(pins, tickets, this.#left, this.#avoided);
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
    save(this.#key, JSON.stringify({ pins: this.#pins, avoided: [...this.#avoided] }));
  }
}
