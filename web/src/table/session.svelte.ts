import { untrack } from 'svelte';
import type { Target } from '../board/input/hit_test.ts';
import { Bubbles } from '../chat/bubbles.svelte.ts';
import { Announcements } from './announcements.svelte.ts';
import { Chat } from '../chat/chat.svelte.ts';
import { Celebrations } from './scenes/celebrations.svelte.ts';
import { setBoard, t } from '../i18n/index.svelte.ts';
import type { Command } from '../connection/connection.ts';
import { errorCode } from '../connection/http.ts';
import type { Names } from '../lib/log.ts';
import { parseMove, payableWith, type Payment } from '../lib/moves.ts';
import { loadPace } from '../lib/pace.ts';
import { serverTime } from '../connection/server_time.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import type { Hint } from '../protocol.gen.ts';
import { cardsText, errorText } from '../ui/names.ts';
import { Hold } from './hold/hold.svelte.ts';
import { actsAtOnce, holdTime, watchPointer } from './hold/hold_time.ts';
import { preview } from './hold/preview.ts';
import { Highlights } from './highlights.svelte.ts';
import { playerName, routeFacts } from './labels.ts';
import { Planner } from './planner/planner.svelte.ts';
import { RULE_OF } from '../rules/chapters.ts';
import { claimBar, reasonText, refusalText, routeReason } from './reasons.ts';
import { Scenes } from './scenes/scenes.svelte.ts';

/** What was chosen on the map or the display, and waits for a payment or a confirmation. */
export type Choice = Target | { readonly kind: 'tickets' };

const NOTICE = 7_000; // milliseconds that a notice is shown
const NONE: ReadonlySet<string> = new Set();
/** Moves that are held before they are sent. To draw tickets is asked for twice, to pass is all that is left, and a card from the deck is nobody's choice. */
const HELD = /^(claim|station|keep|take|pay|withdraw)( |$)/;
const CARD = /^(take|draw)( |$)/;
/** What comes first in a phase in which nothing else can be done. */
const FIRST: Readonly<Record<string, string>> = {
  start: 'tickets_first',
  tickets: 'offer_first',
  tunnel: 'tunnel_first',
  second_card: 'second_card_first',
};

/** Whether the system asks for as little motion as possible. */
const quiet = (): boolean => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true;

/**
 * A viewer's session at a table: what is chosen, looked at and announced, and the commands. The
 * model has what the server says; the session adds what this viewer does with it.
 *
 * It has effects: make it while a component is set up, or in an `$effect.root`.
 */
export class TableSession {
  readonly model: TableModel;
  /** The colour of cards to pay with, null for any. */
  color = $state<string | null>(null);
  /** The ticket whose path is shown on the map. */
  viewedTicket = $state<string | null>(null);
  /** The tickets that are chosen of an offer; it outlasts the question, which may come back. */
  chosen: { readonly offered: string; readonly kept: readonly string[] } | null = null;
  /** A city for a station is being chosen. */
  building = $state(false);
  /** What the mouse or the focus points at on the board. */
  hovered = $state.raw<Target | null>(null);
  /** A short text over the board: a reason, or an answer. */
  notice = $state<string | null>(null);
  /** The rule behind the notice, where it is a refusal: it leads to the rules. */
  noticeRule = $state<string | null>(null);
  /** The route or city that the notice is about: it keeps clear of it. */
  noticeAbout = $state<string | null>(null);
  /** Everything that can be paid for is shown, not only what leads to a ticket. */
  showsAll = $state(false);
  /** A hint was asked for, and is not there yet. */
  thinking = $state(false);
  #choice = $state<Choice | null>(null);
  #hint = $state.raw<{ readonly hint: Hint; readonly decision: string } | null>(null);

  readonly offering = $derived.by(
    () => this.model.deciding && (this.phase === 'start' || this.phase === 'tickets') && !!this.model.own?.offer.length,
  );
  readonly inTunnel = $derived.by(() => this.model.deciding && this.phase === 'tunnel' && !!this.game?.tunnel);
  readonly choice = $derived(this.turn ? this.#choice : null);
  readonly passing = $derived.by(() => this.model.deciding && this.model.moves.pass);
  /** Whether there is a question to be answered before anything else. */
  readonly asking = $derived(this.offering || this.inTunnel || this.choice !== null || this.passing);

  /** Which question that is, as a text to compare; empty while there is none. */
  readonly question = $derived.by(() => {
    const about = this.choice && 'id' in this.choice ? this.choice.id : '';
    return this.asking ? [this.phase, this.offering, this.choice?.kind, about].join(' ') : '';
  });

  /** The hint, while the decision that it was asked for has not been made. */
  readonly hint = $derived.by(() =>
    this.model.deciding && this.#hint?.decision === this.model.decision ? this.#hint.hint : null,
  );
  /** The route or city of the hint. */
  readonly hintTarget = $derived.by(() => {
    const move = this.hint && parseMove(this.hint.action);
    return move && 'target' in move ? move.target : null;
  });

  /** Cards that can be drawn now, as actions. While a first card is held, those that can follow it: the next tap goes on with one of them. */
  readonly draws: ReadonlySet<string> = $derived.by(() => {
    const { model } = this;
    const listed = (model.state?.own?.moves?.actions ?? []).filter((action) => CARD.test(action));
    if (model.busy) return NONE; // it is being carried out
    if (model.deciding) return new Set(listed);
    const held = this.hold.command?.type === 'decide' ? this.hold.command.action : '';
    const second = model.state?.own?.moves?.second ?? [];
    // A card that cannot be a second one is drawn alone.
    return this.phase === 'turn' && second.includes(held) ? new Set(second) : NONE;
  });
  /** Routes that can be claimed now with the chosen colour. */
  readonly open = $derived.by(() => (this.turn ? payableWith(this.model.moves.claims, this.color) : NONE));
  /** Cities where a station can be built; shown only while one is being placed, since nearly every city is one. */
  readonly buildable = $derived.by(() =>
    this.building && this.turn ? payableWith(this.model.moves.stations, this.color) : NONE,
  );
  /** Payments for the chosen route or city: with the chosen colour, where there are such. */
  readonly payments = $derived.by((): readonly Payment[] => {
    const { choice, color, model } = this;
    if (!choice || choice.kind === 'tickets') return [];
    const all = (choice.kind === 'route' ? model.moves.claims : model.moves.stations).get(choice.id) ?? [];
    const some = color === null ? all : all.filter((payment) => payment.color === color);
    return some.length ? some : all;
  });
  /** The route to emphasise as chosen: the one that is claimed, or the tunnel that is on stage, whoever tries it. */
  readonly selected = $derived.by(() => {
    const held = this.hold.command?.type === 'decide' ? parseMove(this.hold.command.action) : null;
    if (held?.verb === 'claim') return held.target;
    return this.choice?.kind === 'route'
      ? this.choice.id
      : (this.game?.tunnel?.route ?? this.scenes.tunnel?.scene.route ?? null);
  });
  readonly prompt = $derived.by(() => {
    const { model, game, phase } = this;
    if (this.over) return t('prompt.over');
    if (model.table?.status === 'over') return t('prompt.closed');
    if (this.hold.active) return t(this.draws.size ? 'hold.prompt_card' : 'hold.prompt');
    if (model.table?.paused) return t('prompt.paused');
    if (this.building) return t('station.choose');
    if (this.turn && this.edition?.numbers.stations) return t('prompt.turn_stations');
    if (model.deciding) return t(`prompt.${phase}`);
    if (phase === 'start') return t('prompt.others_tickets');
    return game?.turn === null || !game ? '' : t('prompt.other', { name: playerName(model, game.turn) });
  });

  readonly names: Names = $derived({
    edition: this.edition,
    seatName: (seat) => playerName(this.model, seat),
  });
  /** The move that is held before it is sent. */
  readonly hold: Hold;
  readonly scenes: Scenes;
  readonly planner: Planner;
  /** What is marked on the map for this viewer. */
  readonly map: Highlights;
  readonly announcements: Announcements;
  readonly chat: Chat;
  readonly bubbles: Bubbles;
  readonly celebrations: Celebrations;
  readonly #goRematch: (table: string) => void;
  #wantsRematch = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: TableModel, goRematch: (table: string) => void) {
    this.model = model;
    this.#goRematch = goRematch;
    this.planner = new Planner(model);
    this.map = new Highlights(this);
    this.announcements = new Announcements(model, () => this.names);
    this.chat = new Chat(model);
    this.bubbles = new Bubbles(model, this.chat);
    this.celebrations = new Celebrations(model, () => loadPace() === 0 || quiet());
    $effect(() => {
      void model.news;
      untrack(() => {
        this.bubbles.note();
        this.celebrations.note();
      });
    });
    $effect(() => () => {
      this.bubbles.stop();
      this.celebrations.stop();
    });
    this.hold = new Hold({
      time: holdTime,
      online: () => model.link === 'open',
      left: () => (model.table?.deadline == null ? null : (model.table.deadline - serverTime()) * 1000),
      send: async (command) => {
        const accepted = await this.#sendNow(command);
        if (accepted) await model.settled();
        return accepted;
      },
      changed: (command) => this.#show(command),
    });
    this.scenes = new Scenes({
      pace: loadPace,
      known: () => model.state?.number ?? 0,
      still: quiet,
    });
    model.scenes = this.scenes;
    $effect(() => watchPointer());
    $effect(() => {
      void model.link;
      untrack(() => this.hold.run());
    });
    // What is held ends when it can no longer be done.
    $effect(() => {
      const { command } = this.hold;
      if (command?.type !== 'decide' || !this.hold.active || this.#legal(command.action)) return;
      this.hold.takeBack();
      this.say(t('code.stale'));
    });
    // A page that is left or hidden may never run again: what the person has done is done.
    $effect(() => {
      const left = () => document.hidden && void this.hold.carryOut();
      document.addEventListener('visibilitychange', left);
      return () => document.removeEventListener('visibilitychange', left);
    });
    $effect.pre(() => setBoard(this.edition?.document.board ?? ''));
    // A choice lasts as long as it can be paid.
    $effect(() => {
      if (!this.turn) {
        this.#choice = null;
        this.building = false;
      }
      if (this.#choice?.kind === 'route' && !model.moves.claims.has(this.#choice.id)) this.#choice = null;
    });
    $effect(() => {
      if (this.color !== null && !model.own?.hand[this.color]) this.color = null;
    });
    // Where nothing may move, a notice stands in for the banner.
    $effect(() => {
      const last = this.announcements.news.find((line) => line.key === 'log.last_round');
      if (last && untrack(() => this.celebrations.lastRound) === null) this.say(t(last.key, last.params));
    });
    // A way that is pinned is drawn anew; whoever took it away is named.
    let planned: ReadonlySet<string> = new Set();
    $effect(() => {
      const { steps } = this.planner;
      const [taken] = [...planned].filter((id) => model.owners[id] !== undefined && model.owners[id] !== model.seat);
      planned = new Set(steps.map((step) => step.route.id));
      if (taken === undefined || !this.edition) return;
      const owner = model.owners[taken]!;
      untrack(() =>
        this.say(t('plan.taken', { name: playerName(model, owner), route: this.edition!.routeName(taken) })),
      );
    });
    // Whoever asked for a rematch goes there as soon as there is one.
    $effect(() => {
      const table = model.table?.rematch;
      if (table && this.#wantsRematch) goRematch(table);
    });
  }

  get edition() {
    return this.model.edition;
  }

  get game() {
    return this.model.public;
  }

  get over(): boolean {
    return this.model.final !== null;
  }

  get phase() {
    return this.game?.phase ?? 'start';
  }

  /** Whether this viewer has to decide something now. */
  get mine(): boolean {
    return this.model.deciding && !this.over;
  }

  /** Whether it is this viewer's turn as anybody would say: also while a move is held that can still be taken back. */
  get turnShown(): boolean {
    return this.mine || this.hold.command?.type === 'decide';
  }

  /** Whether this viewer begins a turn now, so that anything can be chosen. */
  get turn(): boolean {
    return this.model.deciding && this.phase === 'turn';
  }

  /** Whether a bot plays for this viewer. */
  get away(): boolean {
    const { seat, table } = this.model;
    return !this.over && seat !== null && table?.seats[seat]?.away === true;
  }

  /** Show a notice for a while; `about` is the route or city that it speaks of. */
  say(text: string, reason: string | null | undefined = null, about: string | null = null): void {
    this.notice = text;
    this.noticeAbout = about;
    this.noticeRule = reason ? (RULE_OF[reason] ?? null) : null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.notice = null), NOTICE);
  }

  /** Say why nothing can be chosen now: others play, or something else comes first. */
  #sayWhyNot(title?: string, about: string | null = null): void {
    const reason = this.model.deciding ? FIRST[this.phase] : title ? undefined : 'not_your_turn';
    this.say([title, reason && reasonText(reason)].filter(Boolean).join(': '), reason, about);
  }

  /** Send a command; returns whether the server accepted it. Without a connection it waits, where it is seen. */
  send = (command: Command): Promise<boolean> => {
    if (this.hold.active) this.hold.takeBack();
    return this.model.link === 'open' ? this.#sendNow(command) : this.hold.begin(command);
  };

  /** Whether the seat may do this now; the server lists every set of tickets to keep once, the order of the others is free. */
  #legal(action: string): boolean {
    return !!this.model.state?.own?.moves?.actions.includes(action) || action.includes(' back ');
  }

  /** Show a move as done, as long as it is held. */
  #show(command: Command | null): void {
    const { model } = this;
    const { edition } = model;
    if (command?.type !== 'decide' || !edition) model.preview = null;
    else model.preview = { since: model.lastTurn, show: (state) => preview(state, command.action, edition) };
  }

  async #sendNow(command: Command): Promise<boolean> {
    const answer = await this.model.send(command);
    if (answer?.type === 'refused') this.say(refusalText(answer), answer.reason);
    return answer?.type === 'accepted';
  }

  /** Take a decision, in the notation of the server; one that is not legal is answered with the reason. */
  decide = async (action: string): Promise<void> => {
    const { model } = this;
    const held = this.hold.command;
    if (held) {
      // Two cards are two taps, as quick as one likes: the second goes on where the first has ended.
      const both = held.type === 'decide' && CARD.test(held.action) && CARD.test(action) && held.action !== action;
      const done = both ? this.hold.carryOut() : this.hold.tap();
      if (done && both && (await done)) await this.decide(action);
      return;
    }
    if (model.busy && CARD.test(action)) {
      await model.settled();
      if (this.phase === 'second_card') await this.decide(action);
      return;
    }
    if (!model.deciding)
      return this.say(
        this.over ? t('prompt.over') : t('why.not_your_turn'),
        this.over ? 'game_is_over' : 'not_your_turn',
      );
    if (!this.#legal(action)) {
      const subject = action.split(' ').slice(0, 2).join(' ');
      const reason = model.barred[subject] ?? FIRST[this.phase];
      return this.say(reasonText(reason ?? 'other'), reason);
    }
    this.notice = null;
    const command = { type: 'decide', action } as const;
    const choice = this.#choice;
    const accepted = HELD.test(action) || model.link !== 'open' ? this.hold.begin(command) : this.#sendNow(command);
    if (await accepted) {
      this.#choice = null;
      this.color = null;
      this.viewedTicket = null;
    } else if (this.turn && this.#choice === null) {
      this.#choice = choice;
    }
  };

  /** Take back the move that is held. */
  takeBack = (): void => {
    this.hold.takeBack();
  };

  chooseRoute = (id: string): void => {
    if (this.hold.active) return void this.hold.tap();
    const { model, edition } = this;
    const route = edition?.routes.get(id);
    if (!route || !edition) return;
    if (this.planner.bending) return this.planner.bend(id);
    const owner = model.owners[id];
    const title = `${edition.routeName(id)} (${routeFacts(model, id)})`;
    if (owner !== undefined)
      return this.say(t('route.owned', { route: edition.routeName(id), name: playerName(model, owner) }), null, id);
    if (!this.turn) return this.#sayWhyNot(title, id);
    const payments = model.moves.claims.get(id);
    if (!payments)
      return this.say(
        `${title}: ${routeReason(model, route, claimBar(model, id) ?? 'other')}`,
        claimBar(model, id),
        id,
      );
    // A tunnel is always asked about: whether to risk it is a question, and its odds are seen first.
    if (payments.length === 1 && !route.tunnel && actsAtOnce()) return void this.decide(payments[0]!.action);
    this.notice = null;
    this.#choice = { kind: 'route', id };
  };

  chooseCity = (id: string): void => {
    if (this.hold.active) return void this.hold.tap();
    const { model, edition } = this;
    if (!edition) return;
    const name = edition.cityName(id);
    const owner = model.stations[id];
    if (owner !== undefined)
      return this.say(t('station.owned', { city: name, name: playerName(model, owner) }), null, id);
    if (!this.turn || !edition.numbers.stations) return this.say(name, null, id); // a city is often asked for its name only
    const payments = model.moves.stations.get(id);
    if (!payments)
      return this.say(
        `${name}: ${reasonText(model.barred[`station ${id}`] ?? 'other')}`,
        model.barred[`station ${id}`],
        id,
      );
    // A city is easily touched: only one that was asked for is built in at once.
    if (payments.length === 1 && this.building && actsAtOnce()) return void this.decide(payments[0]!.action);
    this.notice = null;
    this.#choice = { kind: 'city', id };
    this.building = false;
  };

  /** Begin or end choosing a city for a station. */
  chooseStation = (): void => {
    if (this.hold.active) return void this.hold.tap();
    const { model } = this;
    if (!this.turn) return this.#sayWhyNot();
    if (model.moves.stations.size === 0) {
      const reasons = Object.entries(model.barred).filter(([subject]) => subject.startsWith('station '));
      const other = reasons.find(([, reason]) => reason !== 'city_occupied') ?? reasons[0];
      return this.say(reasonText(other?.[1] ?? 'other'), other?.[1]);
    }
    this.building = !this.building;
    this.notice = null;
  };

  chooseTickets = (): void => {
    if (this.hold.active) return void this.hold.tap();
    if (!this.turn || !this.model.moves.tickets) return void this.decide('tickets');
    this.#choice = { kind: 'tickets' };
  };

  chooseColor = (color: string | null): void => {
    if (this.hold.active) return void this.hold.tap();
    this.color = color;
    if (color === null || !this.turn) return;
    const count = payableWith(this.model.moves.claims, color).size;
    this.say(t('hand.buys', { count, cards: cardsText(color, this.model.own?.hand[color] ?? 0) }));
  };

  /** Show everything that can be paid for, or again only what leads to a ticket. */
  toggleAll = (): void => {
    this.showsAll = !this.showsAll;
    if (!this.turn) return;
    this.say(t('hand.all', { count: this.model.moves.claims.size }));
  };

  viewTicket = (id: string | null): void => {
    this.viewedTicket = id;
  };

  /** Take back the choice that waits for a payment or a confirmation. */
  cancelChoice = (): void => {
    this.#choice = null;
  };

  /** Take back everything that was begun, first of all what is held. */
  cancelAll(): void {
    if (this.hold.takeBack()) return;
    this.#choice = null;
    this.color = null;
    this.notice = null;
    this.#hint = null;
    this.building = false;
  }

  /** Ask what a bot would do. */
  askHint = async (): Promise<void> => {
    if (this.thinking) return;
    this.thinking = true;
    this.notice = null;
    const { decision } = this.model;
    const answer = await this.model.hint();
    this.thinking = false;
    if (answer.type === 'hint') this.#hint = { hint: answer, decision };
    else this.say(refusalText(answer), answer.reason);
  };

  closeHint = (): void => {
    this.#hint = null;
  };

  /** Show the map, where something else has its place; the page sets it. */
  onmap: (() => void) | null = null;

  /** Play the finale; the page sets it. */
  onfinale: (() => void) | null = null;

  /** Go to the rematch, or ask for one. */
  rematch = async (): Promise<void> => {
    this.#wantsRematch = true;
    const table = this.model.table?.rematch;
    if (table) return this.#goRematch(table);
    await this.send({ type: 'rematch' });
  };

  /** Give back the seat that is kept at the rematch; returns whether that was done. */
  async declineRematch(): Promise<boolean> {
    const table = this.model.table?.rematch;
    if (!table) return false;
    try {
      await this.model.decline(table);
      return true;
    } catch (failure) {
      this.say(errorText(errorCode(failure)));
      return false;
    }
  }

  /** Return the record of the game as far as this viewer may have it; null when it cannot be had now. */
  async record(): Promise<Blob | null> {
    try {
      return await this.model.record();
    } catch {
      this.say(t('code.unreachable'));
      return null;
    }
  }
}
