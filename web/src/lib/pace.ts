/** The pace of what others do: no faster than people can follow. */
import type { State } from '../protocol.gen.ts';
import { load, save } from './storage.ts';

/** The paces to choose from: milliseconds that a bot's decision is shown alone; 0: at once, and nothing is played on stage. */
export const PACES = ['0', '800', '1500', '3000'] as const;
const USUAL = '800';
export const loadPace = () => Number(load('pace') ?? USUAL);

/** Keep the chosen pace, and let the page follow it. */
export function savePace(chosen: string): void {
  save('pace', chosen);
  followPace();
}

/** Let nothing move by itself where the pace is off: base.css and the transitions of the board look at this mark. */
export function followPace(): void {
  document.documentElement.toggleAttribute('data-still', loadPace() === 0);
}

/** A queue of states: those in which a bot has decided are shown one after the other. */
export class Pacer {
  readonly #pace: () => number;
  readonly #show: (state: State) => void;
  readonly #before: (state: State) => Promise<void> | null;
  readonly #skip: () => void;
  #queue: State[] = [];
  /** A state that waits for the scene before it. */
  #staged: State | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `pace`: milliseconds that a bot's decision is shown alone; `before` plays what comes before a state, if anything, and `skip` ends it. */
  constructor(
    pace: () => number,
    show: (state: State) => void,
    before: (state: State) => Promise<void> | null = () => null,
    skip: () => void = () => undefined,
  ) {
    this.#pace = pace;
    this.#show = show;
    this.#before = before;
    this.#skip = skip;
  }

  /** Show a state now, or when those before it have been shown long enough. */
  add(state: State): void {
    if (this.#pace() === 0 || globalThis.document?.hidden) this.flush();
    this.#queue.push(state);
    if (this.#timer === undefined && this.#staged === null) this.#next();
  }

  /** Show at once whatever waits; a scene that is on stage ends, since what follows from it is told. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const staged = this.#staged;
    this.#staged = null;
    if (staged) this.#skip();
    for (const state of [...(staged ? [staged] : []), ...this.#queue.splice(0)]) this.#show(state);
  }

  #next(): void {
    this.#timer = undefined;
    const state = this.#queue.shift();
    if (!state) return;
    const scene = this.#before(state);
    if (scene === null) return this.#reveal(state);
    this.#staged = state;
    void scene.then(() => {
      if (this.#staged !== state) return; // it was shown at once
      this.#staged = null;
      this.#reveal(state);
    });
  }

  #reveal(state: State): void {
    this.#show(state);
    const pace = byBot(state) && state.table.clock.kind !== 'live' && !globalThis.document?.hidden ? this.#pace() : 0;
    if (pace) this.#timer = setTimeout(() => this.#next(), pace);
    else this.#next();
  }
}

/** Whether a bot has decided alone; all choose their first tickets at the same time. */
function byBot(state: State): boolean {
  return (
    state.public?.phase !== 'start' && state.entries.some((entry) => entry.entry === 'decided' && entry.bot !== '')
  );
}
