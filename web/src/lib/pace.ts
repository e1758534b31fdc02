/** The pace of bots: no faster than people can follow. */
import type { State } from '../protocol.gen.ts';
import { load, save } from './storage.ts';

/** The paces to choose from: milliseconds that a bot's decision is shown alone. */
export const PACES = ['0', '1500', '3000'] as const;
export const loadPace = () => Number(load('pace') ?? 0);
export const savePace = (chosen: string) => save('pace', chosen);

/** A queue of states: those in which a bot has decided are shown one after the other. */
export class Pacer {
  readonly #pace: () => number;
  readonly #show: (state: State) => void;
  #queue: State[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `pace`: milliseconds that a bot's decision is shown alone. */
  constructor(pace: () => number, show: (state: State) => void) {
    this.#pace = pace;
    this.#show = show;
  }

  /** Show a state now, or when those before it have been shown long enough. */
  add(state: State): void {
    const slow = this.#pace() > 0 && state.table.clock.kind !== 'live' && !globalThis.document?.hidden;
    if (!slow) this.flush();
    if (slow && (this.#timer !== undefined || byBot(state))) this.#queue.push(state);
    else this.#show(state);
    if (this.#queue.length && this.#timer === undefined) this.#next();
  }

  /** Show at once whatever waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const state of this.#queue.splice(0)) this.#show(state);
  }

  #next(): void {
    this.#timer = undefined;
    const state = this.#queue.shift();
    if (!state) return;
    this.#show(state);
    const pace = byBot(state) ? this.#pace() : 0;
    if (pace || this.#queue.length) this.#timer = setTimeout(() => this.#next(), pace);
  }
}

/** Whether a bot has decided alone; all choose their first tickets at the same time. */
function byBot(state: State): boolean {
  return state.public?.phase !== 'start' && state.entries.some((entry) => entry.entry === 'decided' && entry.bot !== '');
}
