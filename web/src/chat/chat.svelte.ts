import { t } from '../i18n/index.svelte.ts';
import { load, save } from '../lib/storage.ts';
import type { Entry } from '../lib/log.ts';
import type { TableModel } from '../lib/table.svelte.ts';
import type { Refused } from '../protocol.gen.ts';
import { REACTIONS, type Reaction } from './reactions.ts';
import { seatName } from '../ui/names.ts';

/** A line of the chat. `seat` is null for a spectator; `text` is null where the people who run the server took it away. */
export interface Line {
  readonly number: number;
  readonly seat: number | null;
  readonly name: string;
  readonly text: string | null;
  readonly reaction: Reaction | null;
}

/** The longest line that the server takes. */
export const LONGEST = 300;
const LINES_KEPT = 10; // by the live region
const SPECTATORS = 'spectators';

/** The chat of a table, as this viewer has it: what was said, whom they have muted, what they have not read yet. */
export class Chat {
  readonly #model: TableModel;
  /** What was said before this page was opened is not read aloud. */
  readonly #began: number;
  #muted = $state.raw<readonly string[]>([]);
  #read = $state(0);
  /** The panel is open: what comes is read. */
  open = $state(false);
  /** The lines that this viewer has reported. */
  reported = $state.raw<ReadonlySet<string>>(new Set());

  constructor(model: TableModel) {
    this.#model = model;
    this.#began = model.state?.number ?? 0;
    this.#muted = (load(`muted.${model.id}`) ?? '').split(' ').filter(Boolean);
    this.#read = Number(load(`read.${model.id}`) ?? 0);
  }

  /** Whether there is a chat at this table at all: nobody talks with bots, or with who sits at the same device. */
  readonly there = $derived.by(() => {
    const { table, here, held: own } = this.#model;
    const others = table?.seats.filter((seat, at) => seat.kind === 'person' && at !== own && !here.includes(at)) ?? [];
    return !!table?.chat && others.length > 0;
  });
  readonly lines: readonly Line[] = $derived.by(() => this.#model.entries.flatMap((entry) => this.#line(entry)));
  /** What this viewer wants to read. */
  readonly shown: readonly Line[] = $derived(this.lines.filter((line) => !this.isMuted(line.seat)));
  /** The others' lines that were not read yet. */
  readonly unread = $derived.by(() =>
    this.open ? 0 : this.shown.filter((line) => line.number > this.#read && !this.mine(line)).length,
  );
  readonly label = $derived(this.unread ? t('chat.unread', { count: this.unread }) : t('tabs.chat'));
  /** New lines, to be read aloud. */
  readonly heard = $derived.by(() => {
    const said = this.shown.filter((line) => line.number > this.#began && !this.mine(line) && line.text !== null);
    return said.slice(-LINES_KEPT).map((line) => ({
      number: line.number,
      text: t('chat.says', {
        name: line.name,
        text: line.reaction ? t(`reaction.${line.reaction}`) : (line.text ?? ''),
      }),
    }));
  });

  mine(line: Line): boolean {
    return line.seat !== null && line.seat === this.#model.held;
  }

  isMuted(seat: number | null): boolean {
    return this.#muted.includes(seat === null ? SPECTATORS : String(seat));
  }

  /** Whom this viewer has muted: seats, and null for all spectators. */
  get muted(): readonly { seat: number | null; name: string }[] {
    return this.#muted.map((one) =>
      one === SPECTATORS
        ? { seat: null, name: t('chat.spectators') }
        : { seat: Number(one), name: this.nameOf(Number(one)) },
    );
  }

  nameOf(seat: number): string {
    return seatName(this.#model.table?.seats, seat);
  }

  colorOf(seat: number): string {
    return this.#model.edition?.colorOf(seat) ?? 'gray';
  }

  /** Show the lines of a seat, or of all spectators, no more; or again. */
  mute(seat: number | null, muted: boolean): void {
    const one = seat === null ? SPECTATORS : String(seat);
    this.#muted = [...this.#muted.filter((other) => other !== one), ...(muted ? [one] : [])];
    save(`muted.${this.#model.id}`, this.#muted.join(' '));
  }

  /** Everything that is shown has been read. */
  read(): void {
    const last = this.lines.at(-1)?.number ?? 0;
    if (last <= this.#read) return;
    this.#read = last;
    save(`read.${this.#model.id}`, String(last));
  }

  /** Say something, or react; returns the code of a refusal. */
  async say(said: { readonly text: string } | { readonly reaction: Reaction }): Promise<Refused['code'] | null> {
    const name = this.#model.held === null ? { name: load('name')?.trim() || t('start.guest') } : {};
    const answer = await this.#model.tell({ type: 'say', ...said, ...name });
    return answer.type === 'refused' ? answer.code : null;
  }

  /** Ask the people who run the server to look at a line, or at the name of its speaker. */
  async report(line: Line, what: 'line' | 'name'): Promise<Refused['code'] | null> {
    const target = what === 'line' ? { line: line.number } : { seat: line.seat };
    const answer = await this.#model.tell({ type: 'report', ...target });
    if (answer.type === 'refused' && answer.code !== 'already_reported') return answer.code;
    this.reported = new Set([...this.reported, `${what} ${line.number}`]);
    return null;
  }

  #line(entry: Entry): Line[] {
    if (entry.entry !== 'said') return [];
    const { number, text } = entry;
    const seat = entry.seat === null ? null : this.#seatNow(entry.seat, number);
    if (seat === undefined) return [];
    const reaction = REACTIONS.find((one) => one === entry.reaction) ?? null;
    return [{ number, seat, text, reaction, name: seat === null ? entry.name : this.nameOf(seat) }];
  }

  /** The number that a seat has now: when the game begins they are numbered anew, and some are gone (undefined). */
  #seatNow(seat: number, said: number): number | undefined {
    let now = seat;
    for (const entry of this.#model.entries) {
      if (entry.entry !== 'trimmed' || entry.number < said) continue;
      now = entry.seats.indexOf(now);
      if (now < 0) return undefined;
    }
    return now;
  }
}
