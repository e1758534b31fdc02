import { untrack } from 'svelte';
import type { Command } from '../../connection/connection.ts';
import { serverTime } from '../../connection/server_time.ts';
import { t } from '../../i18n/index.svelte.ts';
import { Hold } from '../hold/hold.svelte.ts';
import { holdTime, watchPointer } from '../hold/hold_time.ts';
import { preview } from '../hold/preview.ts';
import { FIRST, reasonText, refusalText } from '../reasons.ts';
import type { TableSession } from '../session.svelte.ts';

/** Moves that are held before they are sent. To draw tickets is asked for twice, to pass is all that is left, and a card from the deck is nobody's choice. */
const HELD = /^(claim|station|keep|take|pay|withdraw)( |$)/;
const CARD = /^(take|draw)( |$)/;
const NONE: ReadonlySet<string> = new Set();

/** The commands of a viewer: what is legal now, what is held before it is sent, and what the server answers. */
export class Decisions {
  /** The move that is held before it is sent. */
  readonly hold: Hold;
  readonly #session: TableSession;

  /** Cards that can be drawn now, as actions. While a first card is held, those that can follow it: the next tap goes on with one of them. */
  readonly draws: ReadonlySet<string> = $derived.by(() => {
    const { model, phase } = this.#session;
    const listed = (model.state?.own?.moves?.actions ?? []).filter((action) => CARD.test(action));
    if (model.busy) return NONE; // it is being carried out
    if (model.deciding) return new Set(listed);
    const held = this.hold.command?.type === 'decide' ? this.hold.command.action : '';
    const second = model.state?.own?.moves?.second ?? [];
    // A card that cannot be a second one is drawn alone.
    return phase === 'turn' && second.includes(held) ? new Set(second) : NONE;
  });

  constructor(session: TableSession) {
    this.#session = session;
    const { model } = session;
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
      session.notice.say(t('code.stale'));
    });
    // A page that is left or hidden may never run again: what the person has done is done.
    $effect(() => {
      const left = () => document.hidden && void this.hold.carryOut();
      document.addEventListener('visibilitychange', left);
      return () => document.removeEventListener('visibilitychange', left);
    });
  }

  /** Send a command; returns whether the server accepted it. Without a connection it waits, where it is seen. */
  send(command: Command): Promise<boolean> {
    if (this.hold.active) this.hold.takeBack();
    return this.#session.model.link === 'open' ? this.#sendNow(command) : this.hold.begin(command);
  }

  /** Take a decision, in the notation of the server; one that is not legal is answered with the reason. */
  async decide(action: string): Promise<void> {
    const { model, choices, notice } = this.#session;
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
      if (this.#session.phase === 'second_card') await this.decide(action);
      return;
    }
    if (!model.deciding || !this.#legal(action)) return this.#sayWhyNot(action);
    notice.clear();
    const command = { type: 'decide', action } as const;
    const { choice } = choices;
    const accepted = HELD.test(action) || model.link !== 'open' ? this.hold.begin(command) : this.#sendNow(command);
    if (await accepted) choices.clear();
    else choices.restore(choice);
  }

  #sayWhyNot(action: string): void {
    const { model, notice, over, phase } = this.#session;
    if (over) return notice.say(t('prompt.over'), 'game_is_over');
    if (!model.deciding) return notice.say(t('why.not_your_turn'), 'not_your_turn');
    const subject = action.split(' ').slice(0, 2).join(' ');
    const reason = model.barred[subject] ?? FIRST[phase];
    notice.say(reasonText(reason ?? 'other'), reason);
  }

  /** Whether the seat may do this now; the server lists every set of tickets to keep once, the order of the others is free. */
  #legal(action: string): boolean {
    return !!this.#session.model.state?.own?.moves?.actions.includes(action) || action.includes(' back ');
  }

  /** Show a move as done, as long as it is held. */
  #show(command: Command | null): void {
    const { model, edition } = this.#session;
    if (command?.type !== 'decide' || !edition) model.preview = null;
    else model.preview = { since: model.lastTurn, show: (state) => preview(state, command.action, edition) };
  }

  async #sendNow(command: Command): Promise<boolean> {
    const answer = await this.#session.model.send(command);
    if (answer?.type === 'refused') this.#session.notice.say(refusalText(answer), answer.reason);
    return answer?.type === 'accepted';
  }
}
