import { t } from '../i18n/index.svelte.ts';
import { errorCode, type Server } from '../lib/http.ts';
import { load, save } from '../lib/storage.ts';
import { newId, newToken, saveToken } from '../lib/tokens.ts';
import type { CreateTable, Offerings } from '../protocol.gen.ts';

/** What the pages that set up a table have in common: who plays what, and the founding itself. */
export class Founding {
  offerings = $state.raw<Offerings | null>(null);
  name = $state(load('name') ?? '');
  edition = $state(load('edition') ?? 'europe');
  trouble = $state<string | null>(null);
  busy = $state(false);

  readonly chosen = $derived(this.offerings?.editions.find((one) => one.id === this.edition));
  readonly levels = $derived(this.offerings?.levels ?? []);
  /** The second level: an even game for most people. */
  readonly usual = $derived(this.levels[1] ?? this.offerings?.bots[0] ?? 'random');
  readonly me = $derived(this.name.trim() || t('start.guest'));

  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Learn what there is; safe to repeat. */
  async look(): Promise<void> {
    try {
      this.offerings ??= await this.#server.offerings();
      const { editions } = this.offerings;
      if (!this.chosen && editions[0]) this.edition = editions[0].id;
      if (this.trouble === 'unreachable') this.trouble = null;
    } catch (problem) {
      this.trouble = errorCode(problem);
    }
  }

  keep(): void {
    save('name', this.name.trim());
    save('edition', this.edition);
  }

  /** Set the table up, and keep its token; gives its name, or null where that failed. */
  async found(wish: Omit<CreateTable, 'id' | 'edition'>): Promise<string | null> {
    this.busy = true;
    this.keep();
    try {
      return await this.#create({ ...wish, edition: this.edition });
    } catch (problem) {
      this.trouble = errorCode(problem);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Repeated after a lost answer, it makes no second table. */
  async #create(wish: Omit<CreateTable, 'id'>): Promise<string> {
    const token = newToken();
    const id = newId();
    const ask = () => this.#server.create({ ...wish, id }, token);
    const created = await ask().catch((trouble: unknown) => {
      if (errorCode(trouble) === 'unreachable') return ask();
      throw trouble;
    });
    for (const held of created.held) saveToken(created.table, held.token);
    return created.table;
  }
}
