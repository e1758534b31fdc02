/** A count that several people enter: what is entered here goes to the others, and theirs comes here. */
import type { Server } from '../connection/http.ts';
import type { CountChange } from '../protocol.gen.ts';
import type { CountSheet } from './count_sheet.svelte.ts';

const PAUSE = 1_500; // milliseconds between two questions
const MOST = 400; // changes at once

/** Keeps a sheet in step with those of others under one name, until `stop`. */
export class SharedCount {
  readonly #server: Server;
  readonly #sheet: CountSheet;
  readonly #name: string;
  #since = 0;
  #pending: CountChange[] = [];
  #stopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;

  /** `begins`: whether what was entered so far belongs to it, and does not come from the others. */
  constructor(server: Server, sheet: CountSheet, name: string, begins: boolean) {
    this.#server = server;
    this.#sheet = sheet;
    this.#name = name;
    if (begins) this.#pending = this.#all();
    sheet.onchange = (changes) => {
      this.#pending.push(...changes);
      void this.#step();
    };
    void this.#step();
  }

  stop = (): void => {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#sheet.onchange = null;
  };

  #all = (): CountChange[] => Object.entries(this.#sheet.entries).map(([key, value]) => ({ key, value }));

  async #step(): Promise<void> {
    if (this.#asking || this.#stopped) return;
    this.#asking = true;
    clearTimeout(this.#timer);
    const sent = this.#pending.slice(0, MOST);
    try {
      const answer = await this.#server.shareCount(this.#name, { since: this.#since, changes: sent });
      if (answer.number < this.#since) {
        this.#since = 0; // the server has forgotten it
        this.#pending = this.#all();
      } else {
        this.#pending = this.#pending.slice(sent.length);
        this.#since = answer.number;
        const waiting = new Set(this.#pending.map(({ key }) => key));
        this.#sheet.receive(answer.changes.filter(({ key }) => !waiting.has(key)));
      }
    } catch {
      // It is tried again; meanwhile everything is kept here.
    }
    this.#asking = false;
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#step(), this.#pending.length ? 300 : PAUSE);
  }
}
