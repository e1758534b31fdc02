import type { Target } from '../../board/input/hit_test.ts';
import { t } from '../../i18n/index.svelte.ts';
import { payableWith, type Payment } from '../../lib/moves.ts';
import { cardsText } from '../../ui/names.ts';
import { actsAtOnce } from '../hold/hold_time.ts';
import { playerName, routeFacts } from '../labels.ts';
import { claimBar, FIRST, reasonText, routeReason } from '../reasons.ts';
import type { TableSession } from '../session.svelte.ts';

/** What was chosen on the map or the display, and waits for a payment or a confirmation. */
export type Choice = Target | { readonly kind: 'tickets' };

const NONE: ReadonlySet<string> = new Set();

/** What a viewer has chosen and not yet decided. It has effects, as the session has. */
export class Choices {
  /** The colour of cards to pay with, null for any. */
  color = $state<string | null>(null);
  /** The ticket whose path is shown on the map. */
  viewedTicket = $state<string | null>(null);
  /** The tickets that are chosen of an offer; it outlasts the question, which may come back. */
  kept: { readonly offered: string; readonly kept: readonly string[] } | null = null;
  /** A city for a station is being chosen. */
  building = $state(false);
  /** Everything that can be paid for is shown, not only what leads to a ticket. */
  showsAll = $state(false);
  readonly #session: TableSession;
  #choice = $state<Choice | null>(null);

  readonly choice = $derived.by(() => (this.#session.turn ? this.#choice : null));
  /** Routes that can be claimed now with the chosen colour. */
  readonly open = $derived.by(() =>
    this.#session.turn ? payableWith(this.#session.model.moves.claims, this.color) : NONE,
  );
  /** Cities where a station can be built; shown only while one is being placed, since nearly every city is one. */
  readonly buildable = $derived.by(() =>
    this.building && this.#session.turn ? payableWith(this.#session.model.moves.stations, this.color) : NONE,
  );
  /** Payments for the chosen route or city: with the chosen colour, where there are such. */
  readonly payments = $derived.by((): readonly Payment[] => {
    const { choice, color } = this;
    if (!choice || choice.kind === 'tickets') return [];
    const { claims, stations } = this.#session.model.moves;
    const all = (choice.kind === 'route' ? claims : stations).get(choice.id) ?? [];
    const some = color === null ? all : all.filter((payment) => payment.color === color);
    return some.length ? some : all;
  });

  constructor(session: TableSession) {
    this.#session = session;
    const { model } = session;
    // A choice lasts as long as it can be paid.
    $effect(() => {
      if (!session.turn) {
        this.#choice = null;
        this.building = false;
      }
      if (this.#choice?.kind === 'route' && !model.moves.claims.has(this.#choice.id)) this.#choice = null;
    });
    $effect(() => {
      if (this.color !== null && !model.own?.hand[this.color]) this.color = null;
    });
  }

  /** Say why nothing can be chosen now: others play, or something else comes first. */
  #sayWhyNot(title?: string, about: string | null = null): void {
    const { model, phase, notice } = this.#session;
    const reason = model.deciding ? FIRST[phase] : title ? undefined : 'not_your_turn';
    notice.say([title, reason && reasonText(reason)].filter(Boolean).join(': '), reason, about);
  }

  chooseRoute = (id: string): void => {
    const { model, edition, hold, planner, notice, turn } = this.#session;
    if (hold.active) return void hold.tap();
    const route = edition?.routes.get(id);
    if (!route || !edition) return;
    if (planner.bending) return planner.bend(id);
    const owner = model.owners[id];
    const title = `${edition.routeName(id)} (${routeFacts(model, id)})`;
    if (owner !== undefined)
      return notice.say(t('route.owned', { route: edition.routeName(id), name: playerName(model, owner) }), null, id);
    if (!turn) return this.#sayWhyNot(title, id);
    const payments = model.moves.claims.get(id);
    if (!payments) {
      const bar = claimBar(model, id);
      return notice.say(`${title}: ${routeReason(model, route, bar ?? 'other')}`, bar, id);
    }
    // A tunnel is always asked about: whether to risk it is a question, and its odds are seen first.
    if (payments.length === 1 && !route.tunnel && actsAtOnce()) return void this.#session.decide(payments[0]!.action);
    this.#ask({ kind: 'route', id });
  };

  chooseCity = (id: string): void => {
    const { model, edition, hold, notice, turn } = this.#session;
    if (hold.active) return void hold.tap();
    if (!edition) return;
    const name = edition.cityName(id);
    const owner = model.stations[id];
    if (owner !== undefined)
      return notice.say(t('station.owned', { city: name, name: playerName(model, owner) }), null, id);
    if (!turn || !edition.numbers.stations) return notice.say(name, null, id); // a city is often asked for its name only
    const payments = model.moves.stations.get(id);
    if (!payments) {
      const bar = model.barred[`station ${id}`];
      return notice.say(`${name}: ${reasonText(bar ?? 'other')}`, bar, id);
    }
    // A city is easily touched: only one that was asked for is built in at once.
    if (payments.length === 1 && this.building && actsAtOnce()) return void this.#session.decide(payments[0]!.action);
    this.#ask({ kind: 'city', id });
    this.building = false;
  };

  /** Begin or end choosing a city for a station. */
  chooseStation = (): void => {
    const { model, hold, notice, turn } = this.#session;
    if (hold.active) return void hold.tap();
    if (!turn) return this.#sayWhyNot();
    if (model.moves.stations.size === 0) {
      const reasons = Object.entries(model.barred).filter(([subject]) => subject.startsWith('station '));
      const other = reasons.find(([, reason]) => reason !== 'city_occupied') ?? reasons[0];
      return notice.say(reasonText(other?.[1] ?? 'other'), other?.[1]);
    }
    this.building = !this.building;
    notice.clear();
  };

  chooseTickets = (): void => {
    const { model, hold, turn } = this.#session;
    if (hold.active) return void hold.tap();
    if (!turn || !model.moves.tickets) return void this.#session.decide('tickets');
    this.#choice = { kind: 'tickets' };
  };

  chooseColor = (color: string | null): void => {
    const { model, hold, notice, turn } = this.#session;
    if (hold.active) return void hold.tap();
    this.color = color;
    if (color === null || !turn) return;
    const count = payableWith(model.moves.claims, color).size;
    notice.say(t('hand.buys', { count, cards: cardsText(color, model.own?.hand[color] ?? 0) }));
  };

  /** Show everything that can be paid for, or again only what leads to a ticket. */
  toggleAll = (): void => {
    const { model, notice, turn } = this.#session;
    this.showsAll = !this.showsAll;
    if (turn) notice.say(t('hand.all', { count: model.moves.claims.size }));
  };

  viewTicket = (id: string | null): void => {
    this.viewedTicket = id;
  };

  #ask(choice: Choice): void {
    this.#session.notice.clear();
    this.#choice = choice;
  }

  /** Take back the choice that waits for a payment or a confirmation. */
  cancel = (): void => {
    this.#choice = null;
  };

  /** Forget what a decision was made of. */
  clear(): void {
    this.#choice = null;
    this.color = null;
    this.viewedTicket = null;
  }

  /** Ask once more about what a refused decision was made of, unless something else was chosen. */
  restore(choice: Choice | null): void {
    if (this.#session.turn && this.#choice === null) this.#choice = choice;
  }
}
