import type { TableModel } from '../../lib/table.svelte.ts';
import { play } from '../../notice/effects.ts';
import { ticketPath } from '../marks.ts';

const TICKET_TIME = 1_000; // milliseconds
const BANNER_TIME = 2_600;

export interface CompletedTicket {
  readonly id: string;
  readonly way: ReadonlySet<string>;
}

/** Moments that the table stops for, without keeping anybody waiting: one of my tickets is completed, the last round begins. */
export class Celebrations {
  ticket = $state.raw<CompletedTicket | null>(null);
  /** Who has begun the last round. */
  lastRound = $state<number | null>(null);
  readonly #model: TableModel;
  readonly #still: () => boolean;
  #done: ReadonlySet<string> | null = null;
  #known = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(model: TableModel, still: () => boolean) {
    this.#model = model;
    this.#still = still;
    this.#known = model.state?.number ?? 0;
  }

  /** Look at what has just happened. */
  note(): void {
    const model = this.#model;
    const events = model.news.flatMap((entry) =>
      entry.entry === 'decided' && entry.number > this.#known
        ? entry.events.map((event) => ({ event, seat: entry.seat }))
        : [],
    );
    this.#known = model.state?.number ?? this.#known;
    const done = new Set((model.state?.own?.tickets ?? []).flatMap((ticket) => (ticket.done ? [ticket.id] : [])));
    const fresh = this.#done && !model.final ? [...done].filter((id) => !this.#done!.has(id)) : [];
    this.#done = done;
    const [id] = fresh;
    const last = events.find(({ event }) => event.event === 'last_round');
    if (id) this.#complete(id);
    else if (last) play('last_round');
    else if (events.some(({ event }) => event.event === 'tunnel')) play('tunnel');
    else if (events.some(({ event }) => event.event === 'claim')) play('train');
    else if (
      events.some(({ event, seat }) => seat === model.seat && (event.event === 'take' || event.event === 'draw'))
    )
      play('card');
    if (last && !this.#still()) {
      this.lastRound = last.seat;
      this.#after(BANNER_TIME, () => (this.lastRound = null));
    }
  }

  /** The viewer has seen enough. */
  skip = (): void => {
    this.ticket = null;
    this.lastRound = null;
  };

  stop = (): void => {
    for (const timer of this.#timers) clearTimeout(timer);
  };

  #complete(id: string): void {
    play('punch');
    if (this.#still()) return;
    this.ticket = { id, way: ticketPath(this.#model, id) };
    this.#after(TICKET_TIME, () => {
      if (this.ticket?.id === id) this.ticket = null;
    });
  }

  #after(time: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, time);
    this.#timers.add(timer);
  }
}
