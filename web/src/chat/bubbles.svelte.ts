import { t } from '../i18n/index.svelte.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import { settings } from '../settings/settings.svelte.ts';
import type { Chat } from './chat.svelte.ts';
import { Remarks, type Remark } from './remarks.ts';
import type { Reaction } from './reactions.ts';

/** What stands beside a speaker for some seconds. */
export interface Bubble {
  readonly id: number;
  readonly seat: number;
  readonly text: string;
  readonly reaction: Reaction | null;
}

const TIME = 6_000; // milliseconds
const LONGEST = 90; // letters; the chat has the rest

/** What people and bots have just said, by the seat that said it. */
export class Bubbles {
  shown = $state.raw<readonly Bubble[]>([]);
  readonly #model: TableModel;
  readonly #chat: Chat;
  readonly #remarks = new Remarks();
  #ended = false;
  #known = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(model: TableModel, chat: Chat) {
    this.#model = model;
    this.#chat = chat;
    this.#known = model.state?.number ?? 0;
    this.#ended = model.final !== null;
  }

  /** Look at what has just happened. */
  note(): void {
    const { news, table, edition, final } = this.#model;
    const fresh = news.filter((entry) => entry.number > this.#known);
    this.#known = this.#model.state?.number ?? this.#known;
    for (const line of this.#chat.shown) {
      if (line.seat === null || !fresh.some((entry) => entry.number === line.number)) continue;
      if (line.text === null && !line.reaction) continue;
      this.#show(line.number, line.seat, line.text ?? '', line.reaction);
    }
    if (!settings.remarks || !table || !edition) return;
    const remark = this.#remarks.about(fresh, table.seats, (route) => edition.routes.get(route)?.length ?? 0);
    if (remark) this.#say(remark);
    if (final && !this.#ended) {
      this.#ended = true;
      const last = this.#remarks.atTheEnd(final.result.winners, table.seats);
      if (last) this.#say(last);
    }
  }

  stop = (): void => {
    for (const timer of this.#timers) clearTimeout(timer);
  };

  /** A bot does not interrupt. */
  #say({ seat, voice, occasion }: Remark): void {
    if (this.shown.length) return;
    this.#show(-this.#known, seat, t(`remark.${voice}_${occasion}`), null);
  }

  #show(id: number, seat: number, text: string, reaction: Reaction | null): void {
    const short = text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
    // A bubble is wider than the chip that it hangs on: one is seen at a time.
    this.shown = [{ id, seat, text: short, reaction }];
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.shown = this.shown.filter((one) => one.id !== id);
    }, TIME);
    this.#timers.add(timer);
  }
}
