import { t } from '../i18n/index.svelte.ts';
import { Trouble, type Server } from '../lib/http.ts';
import { keep, keepToken, newSecret, recall } from '../lib/keeping.ts';
import type { CreateTable, Offerings } from '../protocol.gen.ts';

/** What the pages that set up a table have in common: who plays what, and the founding itself. */
export class Founding {
  offerings = $state.raw<Offerings | null>(null);
  name = $state(recall('name') ?? '');
  edition = $state(recall('edition') ?? 'europe');
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
      this.trouble = codeOf(problem);
    }
  }

  keep(): void {
    keep('name', this.name.trim());
    keep('edition', this.edition);
  }

  /** Set the table up, and keep its token; gives its name, or null where that failed. */
  async found(wish: Omit<CreateTable, 'id' | 'edition'>): Promise<string | null> {
    this.busy = true;
    this.keep();
    try {
      return await this.#create({ ...wish, edition: this.edition });
    } catch (problem) {
      this.trouble = codeOf(problem);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Repeated after a lost answer, it makes no second table. */
  async #create(wish: Omit<CreateTable, 'id'>): Promise<string> {
    const token = newSecret();
    const id = newSecret(12);
    const ask = () => this.#server.create({ ...wish, id }, token);
    const created = await ask().catch((trouble: unknown) => {
      if (codeOf(trouble) === 'unreachable') return ask();
      throw trouble;
    });
    for (const held of created.held) keepToken(created.table, held.token);
    return created.table;
  }
}

function codeOf(problem: unknown): string {
  return problem instanceof Trouble ? problem.code : 'unknown';
}
