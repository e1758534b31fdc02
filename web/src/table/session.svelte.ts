import { untrack } from 'svelte';
import type { Target } from '../board/input/hit_test.ts';
import { Bubbles } from '../chat/bubbles.svelte.ts';
import { Chat } from '../chat/chat.svelte.ts';
import type { Command } from '../connection/connection.ts';
import { setBoard, t } from '../i18n/index.svelte.ts';
import type { Names } from '../lib/log.ts';
import { loadPace } from '../lib/pace.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import { Announcements } from './session/announcements.svelte.ts';
import { Choices } from './session/choices.svelte.ts';
import { Decisions } from './session/decisions.svelte.ts';
import { Highlights } from './session/highlights.svelte.ts';
import { Hints } from './session/hints.svelte.ts';
import { playerName } from './labels.ts';
import { Notice } from './session/notice.svelte.ts';
import { Planner } from './planner/planner.svelte.ts';
import { Rematch } from './session/rematch.svelte.ts';
import { Celebrations } from './scenes/celebrations.svelte.ts';
import { Scenes } from './scenes/scenes.svelte.ts';

/** Whether the system asks for as little motion as possible. */
const quiet = (): boolean => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true;

/**
 * A viewer's session at a table. The model has what the server says; the session says what is asked
 * of this viewer, and its parts have what the viewer does with it.
 *
 * It has effects: make it while a component is set up, or in an `$effect.root`.
 */
export class TableSession {
  readonly model: TableModel;
  readonly notice = new Notice();
  readonly choices: Choices;
  readonly decisions: Decisions;
  readonly hints: Hints;
  readonly scenes: Scenes;
  readonly planner: Planner;
  /** What is marked on the map for this viewer. */
  readonly map: Highlights;
  readonly announcements: Announcements;
  readonly chat: Chat;
  readonly bubbles: Bubbles;
  readonly celebrations: Celebrations;
  readonly rematch: Rematch;
  /** What the mouse or the focus points at on the board. */
  hovered = $state.raw<Target | null>(null);
  /** Show the map, where something else has its place; the page sets it. */
  onmap: (() => void) | null = null;
  /** The layout and what lies over the map as classes: every part carries them itself, and makes room for the others by them. The page sets it. */
  classes: () => string = () => '';
  /** Play the finale; the page sets it. */
  onfinale: (() => void) | null = null;

  readonly offering = $derived.by(
    () => this.model.deciding && (this.phase === 'start' || this.phase === 'tickets') && !!this.model.own?.offer.length,
  );
  readonly inTunnel = $derived.by(() => this.model.deciding && this.phase === 'tunnel' && !!this.game?.tunnel);
  readonly passing = $derived.by(() => this.model.deciding && this.model.moves.pass);
  /** Whether there is a question to be answered before anything else. */
  readonly asking = $derived.by(() => this.offering || this.inTunnel || this.choices.choice !== null || this.passing);
  /** Which question that is, as a text to compare; empty while there is none. */
  readonly question = $derived.by(() => {
    const { choice } = this.choices;
    const about = choice && 'id' in choice ? choice.id : '';
    return this.asking ? [this.phase, this.offering, choice?.kind, about].join(' ') : '';
  });

  readonly prompt = $derived.by(() => {
    const { model, game, phase } = this;
    if (this.over) return t('prompt.over');
    if (model.table?.status === 'over') return t('prompt.closed');
    if (this.hold.active) return t(this.decisions.draws.size ? 'hold.prompt_card' : 'hold.prompt');
    if (model.table?.paused) return t('prompt.paused');
    if (this.choices.building) return t('station.choose');
    if (this.turn && this.edition?.numbers.stations) return t('prompt.turn_stations');
    if (model.deciding) return t(`prompt.${phase}`);
    if (phase === 'start') return t('prompt.others_tickets');
    return game?.turn === null || !game ? '' : t('prompt.other', { name: playerName(model, game.turn) });
  });

  readonly names: Names = $derived.by(() => ({
    edition: this.edition,
    seatName: (seat) => playerName(this.model, seat),
  }));

  constructor(model: TableModel, goRematch: (table: string) => void) {
    this.model = model;
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
    this.decisions = new Decisions(this);
    this.scenes = new Scenes({
      pace: loadPace,
      known: () => model.state?.number ?? 0,
      still: quiet,
    });
    model.scenes = this.scenes;
    $effect.pre(() => setBoard(this.edition?.document.board ?? ''));
    this.choices = new Choices(this);
    this.hints = new Hints(model, this.notice);
    this.rematch = new Rematch(this, goRematch);
    // Where nothing may move, a notice stands in for the banner.
    $effect(() => {
      const last = this.announcements.news.find((line) => line.key === 'log.last_round');
      if (last && untrack(() => this.celebrations.lastRound) === null) this.notice.say(t(last.key, last.params));
    });
    this.#tellWhoTakesThePlan();
  }

  /** A way that is pinned is drawn anew; whoever took it away is named. */
  #tellWhoTakesThePlan(): void {
    const { model } = this;
    let planned: ReadonlySet<string> = new Set();
    $effect(() => {
      const { steps } = this.planner;
      const [taken] = [...planned].filter((id) => model.owners[id] !== undefined && model.owners[id] !== model.seat);
      planned = new Set(steps.map((step) => step.route.id));
      if (taken === undefined || !this.edition) return;
      const owner = model.owners[taken]!;
      untrack(() =>
        this.notice.say(t('plan.taken', { name: playerName(model, owner), route: this.edition!.routeName(taken) })),
      );
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

  /** The move that is held before it is sent. */
  get hold() {
    return this.decisions.hold;
  }

  /** Whether this viewer has to decide something now. */
  get mine(): boolean {
    return this.model.deciding && !this.over;
  }

  /** Whether it is this viewer's turn as anybody would say, even while a move is held that can still be taken back. */
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

  /** Send a command; returns whether the server accepted it. */
  send = (command: Command): Promise<boolean> => this.decisions.send(command);

  /** Take a decision, in the notation of the server. */
  decide = (action: string): Promise<void> => this.decisions.decide(action);

  /** Take back everything that was begun, first of all what is held. */
  cancelAll(): void {
    if (this.hold.takeBack()) return;
    this.choices.cancel();
    this.choices.color = null;
    this.choices.building = false;
    this.notice.clear();
    this.hints.close();
  }

  /** Return the record of the game as far as this viewer may have it; null when it cannot be had now. */
  async record(): Promise<Blob | null> {
    try {
      return await this.model.record();
    } catch {
      this.notice.say(t('code.unreachable'));
      return null;
    }
  }
}
