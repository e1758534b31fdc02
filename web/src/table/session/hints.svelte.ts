import { parseMove } from '../../lib/moves.ts';
import type { TableModel } from '../../lib/table.svelte.ts';
import type { Hint } from '../../protocol.gen.ts';
import type { Notice } from './notice.svelte.ts';
import { refusalText } from '../reasons.ts';

/** What a bot would do, for whoever asks. */
export class Hints {
  /** One was asked for, and is not there yet. */
  thinking = $state(false);
  readonly #model: TableModel;
  readonly #notice: Notice;
  #last = $state.raw<Hint | null>(null);

  /** The hint; it is valid until the next event. */
  readonly hint = $derived.by(() =>
    this.#model.deciding && this.#last && this.#last.number >= this.#model.moved ? this.#last : null,
  );
  /** The route or city of the hint. */
  readonly target = $derived.by(() => {
    const move = this.hint && parseMove(this.hint.action);
    return move && 'target' in move ? move.target : null;
  });

  constructor(model: TableModel, notice: Notice) {
    this.#model = model;
    this.#notice = notice;
  }

  ask = async (): Promise<void> => {
    if (this.thinking) return;
    this.thinking = true;
    this.#notice.clear();
    const answer = await this.#model.hint();
    this.thinking = false;
    if (answer.type === 'hint') this.#last = answer;
    else this.#notice.say(refusalText(answer), answer.reason);
  };

  close = (): void => {
    this.#last = null;
  };
}
