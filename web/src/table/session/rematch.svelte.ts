import { errorCode } from '../../connection/http.ts';
import { errorText } from '../../ui/names.ts';
import type { TableSession } from '../session.svelte.ts';

/** The next game of the same players: whoever has asked for it goes there as soon as there is one. */
export class Rematch {
  readonly #session: TableSession;
  readonly #go: (table: string) => void;
  #wanted = false;

  constructor(session: TableSession, go: (table: string) => void) {
    this.#session = session;
    this.#go = go;
    $effect(() => {
      const { table } = this;
      if (table && this.#wanted) go(table);
    });
  }

  /** Its table, once there is one. */
  get table(): string | null {
    return this.#session.model.table?.rematch ?? null;
  }

  /** Go there, or ask for one. */
  ask = async (): Promise<void> => {
    this.#wanted = true;
    if (this.table) return this.#go(this.table);
    await this.#session.send({ type: 'rematch' });
  };

  /** Give back the seat that is kept there; returns whether that was done. */
  async decline(): Promise<boolean> {
    const { table } = this;
    if (!table) return false;
    try {
      await this.#session.model.decline(table);
      return true;
    } catch (failure) {
      this.#session.notice.say(errorText(errorCode(failure)));
      return false;
    }
  }
}
