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
  #last = $state.raw<{ readonly hint: Hint; readonly decision: string } | null>(null);

  /** The hint, while the decision that it was asked for has not been made. */
  readonly hint = $derived.by(() =>
    this.#model.deciding && this.#last?.decision === this.#model.decision ? this.#last.hint : null,
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
    const { decision } = this.#model;
    const answer = await this.#model.hint();
    this.thinking = false;
    if (answer.type === 'hint') this.#last = { hint: answer, decision };
    else this.#notice.say(refusalText(answer), answer.reason);
  };

  close = (): void => {
    this.#last = null;
  };
}
