import type { State } from '../protocol.gen.ts';
import { keep, recall } from './keeping.ts';

/** Milliseconds that a decision of a bot is shown alone: what people can choose from. */
export const PACES = ['0', '1500', '3000'] as const;
export const pace = () => Number(recall('pace') ?? 0);
export const keepPace = (chosen: string) => keep('pace', chosen);

/** Shows what bots do no faster than people can follow. */
export class Pacer {
  readonly #pace: () => number;
  readonly #show: (state: State) => void;
  #waiting: State[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `pace`: milliseconds that a bot's decision is shown alone. */
  constructor(pace: () => number, show: (state: State) => void) {
    this.#pace = pace;
    this.#show = show;
  }

  take(state: State): void {
    const slow = this.#pace() > 0 && state.table.clock.kind !== 'live' && !globalThis.document?.hidden;
    if (!slow) this.flush();
    if (slow && (this.#timer !== undefined || byBot(state))) this.#waiting.push(state);
    else this.#show(state);
    if (this.#waiting.length && this.#timer === undefined) this.#next();
  }

  /** Show at once whatever waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const state of this.#waiting.splice(0)) this.#show(state);
  }

  #next(): void {
    this.#timer = undefined;
    const state = this.#waiting.shift();
    if (!state) return;
    this.#show(state);
    const pace = byBot(state) ? this.#pace() : 0;
    if (pace || this.#waiting.length) this.#timer = setTimeout(() => this.#next(), pace);
  }
}

/** All choose their first tickets at the same time: nobody is waited for there. */
function byBot(state: State): boolean {
  return state.public?.phase !== 'start' && state.entries.some((entry) => entry.entry === 'decided' && entry.bot !== '');
}
