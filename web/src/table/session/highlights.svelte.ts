import { parseMove } from '../../lib/moves.ts';
import type { Ways } from '../../lib/paths.ts';
import { ticketLetters, ticketMarks, ticketPath, ticketWays, type Marks } from '../marks.ts';
import type { TableSession } from '../session.svelte.ts';

/** What is marked on the map for a viewer: ends and ways of tickets, what shines, what stays closed, and at the end whatever is looked at. */
export class Highlights {
  readonly #session: TableSession;
  #final = $state.raw<{ path: readonly string[]; marks: Marks }>({ path: [], marks: {} });

  readonly #offer: readonly string[] = $derived.by(() =>
    this.#session.offering ? (this.#session.model.own?.offer ?? []) : [],
  );
  /** The letter of every own ticket, held or on offer: it stands on the ticket and at both of its ends. */
  readonly letters: ReadonlyMap<string, string> = $derived.by(() => ticketLetters(this.#session.model, this.#offer));
  readonly marks: Marks = $derived.by(() => {
    if (this.#session.over) return this.#final.marks;
    return ticketMarks(this.#session.model, this.#session.choices.viewedTicket, this.#offer);
  });
  /** The cheapest ways of every open ticket, held or on offer. */
  readonly ways: ReadonlyMap<string, Ways> = $derived.by(() => {
    if (this.#session.over || !this.#session.model.own) return new Map<string, never>();
    const held = this.#session.model.own.tickets.flatMap(({ id, done }) => (done ? [] : [id]));
    return ticketWays(this.#session.model, [...held, ...this.#offer]);
  });
  /** The trains that every open ticket still needs on its cheapest way; null where no way is left. */
  readonly needs: ReadonlyMap<string, number | null> = $derived.by(
    () => new Map([...this.ways].map(([id, way]) => [id, way.length])),
  );
  /** Routes to emphasise: those of the plan, or on the ways of held tickets, that can be paid now; all that can be paid, when asked. */
  readonly glowing: ReadonlySet<string> = $derived.by(() => {
    if (this.#session.choices.showsAll || this.#session.choices.color !== null) return this.#session.choices.open;
    if (this.#session.planner.routes.size)
      return new Set([...this.#session.choices.open].filter((route) => this.#session.planner.routes.has(route)));
    const held = new Set(this.#session.model.own?.tickets.map((ticket) => ticket.id));
    const ways = [...this.ways].flatMap(([id, way]) => (held.has(id) ? [way.routes] : []));
    return new Set([...this.#session.choices.open].filter((route) => ways.some((way) => way.has(route))));
  });
  /** Free routes that stay closed for this viewer: halves of doubles. */
  readonly closed: ReadonlySet<string> = $derived.by(() => {
    const seats = this.#session.game?.seats ?? [];
    const { seat } = this.#session.model;
    if (seat !== null) return new Set(seats[seat]?.closed);
    const [first, ...others] = seats.map((one) => new Set(one.closed));
    return new Set([...(first ?? [])].filter((route) => others.every((set) => set.has(route))));
  });
  /** The route to emphasise as chosen: the one that is claimed, or the tunnel that is on stage, whoever tries it. */
  readonly selected = $derived.by(() => {
    const { hold, choices, game, scenes } = this.#session;
    const held = hold.command?.type === 'decide' ? parseMove(hold.command.action) : null;
    if (held?.verb === 'claim') return held.target;
    if (choices.choice?.kind === 'route') return choices.choice.id;
    return game?.tunnel?.route ?? scenes.tunnel?.scene.route ?? null;
  });
  readonly path: ReadonlySet<string> = $derived.by(() =>
    this.#session.over
      ? new Set(this.#final.path)
      : this.#session.choices.viewedTicket !== null
        ? ticketPath(this.#session.model, this.#session.choices.viewedTicket)
        : this.#session.planner.routes,
  );

  constructor(session: TableSession) {
    this.#session = session;
  }

  /** Show a path and marks on the map of a game that is over. */
  showFinal(path: readonly string[], marks: Marks): void {
    this.#final = { path, marks };
  }
}
