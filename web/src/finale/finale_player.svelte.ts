import type { Picture } from '../board/picture.ts';
import type { Edition } from '../lib/edition.ts';
import type { Finale, Result } from '../protocol.gen.ts';
import { actsOf, lengthOf, type Act } from './acts.ts';
import { runOver, trainAt, type Run } from './run.ts';

type Mark = { readonly letter: string; readonly state: 'done' | 'open' };
type Marks = Readonly<Record<string, readonly Mark[]>>;

/** What a finale is made of, and how it is shown on the map. */
export interface Staging {
  readonly result: Result;
  readonly finale: Finale;
  readonly edition: Edition;
  readonly picture: () => Picture | null;
  readonly show: (path: readonly string[], marks: Marks) => void;
  readonly onend: () => void;
}

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Plays a finale: one act after the other, until somebody skips it or the winner is there. */
export class FinalePlayer {
  readonly staging: Staging;
  readonly acts: readonly Act[];
  at = $state(0);
  /** The train on the longest route, in units of the sheet. */
  train = $state.raw<{ x: number; y: number; angle: number } | null>(null);
  readonly act: Act = $derived.by(() => this.acts[this.at]!);
  readonly done = $derived.by(() => this.act.kind === 'winner');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  constructor(staging: Staging) {
    this.staging = staging;
    this.acts = actsOf(staging.result, staging.finale, staging.edition);
  }

  start = (): void => {
    this.#show(0);
  };

  /** Go to the winner at once; there, end. */
  skip = (): void => {
    if (this.done) this.end();
    else this.#show(this.acts.length - 1);
  };

  next = (): void => {
    if (this.at + 1 < this.acts.length) this.#show(this.at + 1);
  };

  end = (): void => {
    this.stop();
    this.staging.show([], {});
    this.staging.onend();
  };

  stop = (): void => {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.train = null;
  };

  #show(at: number): void {
    this.stop();
    this.at = at;
    const { act } = this;
    const { edition, finale, show } = this.staging;
    if (act.kind === 'ticket') {
      const ticket = edition.tickets.get(act.ticket);
      const mark: readonly Mark[] = [{ letter: '', state: act.done ? 'done' : 'open' }];
      show(act.way, ticket ? { [ticket.a]: mark, [ticket.b]: mark } : {});
    } else if (act.kind === 'longest') this.#run(act.seats[0]!);
    else show([], {});
    const length = lengthOf(act, this.acts, finale);
    if (length !== null) this.#timer = setTimeout(this.next, length);
  }

  /** Let a train run over the longest route of a seat; what lies behind it is drawn. */
  #run(seat: number): void {
    const { finale, picture, show } = this.staging;
    const trail = finale.trails[seat] ?? [];
    const drawn = picture();
    if (still() || !drawn) return show(trail, {});
    const run: Run = runOver(drawn, trail, finale.stops[seat] ?? []);
    if (run.points.length < 2) return show(trail, {});
    const begun = performance.now();
    const whole = 200 * trail.length + 400;
    let behind = -1;
    const step = (now: number) => {
      const part = Math.min(1, (now - begun) / whole);
      const train = trainAt(run, part);
      this.train = train;
      if (train.behind !== behind) {
        behind = train.behind;
        show(trail.slice(0, behind), {});
      }
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }
}
