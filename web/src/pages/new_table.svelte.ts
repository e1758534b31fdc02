import { untrack } from 'svelte';
import { keepSeats } from '../hotseat/seats.ts';
import { t } from '../i18n/index.svelte.ts';
import { errorCode, type Server } from '../connection/http.ts';
import { commitmentTo, newPart, savePart } from '../lib/shuffle.ts';
import { withPacksKept } from '../lib/packs.ts';
import { load, save } from '../lib/storage.ts';
import { newId, newToken } from '../connection/tokens.ts';
import type { CreateTable, Offerings } from '../protocol.gen.ts';

/** In place of an edition: a board that is made for the table, another one every game. */
export const NEW_BOARD = 'new-board';
export type BoardSize = 'small' | 'medium' | 'large';

/** A table that is being set up: the form's state that the start and the setup page share, and its creation. */
export class NewTable {
  offerings = $state.raw<Offerings | null>(null);
  name = $state(load('name') ?? '');
  portrait = $state(load('portrait') ?? '');
  edition = $state(load('edition') ?? 'europe');
  /** What a board that is made is made of, and for how many players. */
  region = $state(load('new_board.region') ?? 'portugal');
  size = $state<BoardSize>('medium');
  sizes = $state.raw<Readonly<Record<string, readonly unknown[]>>>({});
  /** The ticket packs that were chosen, of whatever board. */
  packs = $state<string[]>([]);
  /** The code of the last request's error. */
  error = $state<string | null>(null);
  busy = $state(false);

  /** What the server says of the chosen edition. */
  readonly info = $derived(this.offerings?.editions.find((one) => one.id === this.edition));
  /** The fewest and the most who can play. */
  readonly seats = $derived.by<readonly [number, number]>(() => {
    const [fewest, most] = this.sizes[this.size] ?? [2, 4];
    if (this.edition === NEW_BOARD) return [Number(fewest), Number(most)];
    return [this.info?.seats_min ?? 2, this.info?.seats_max ?? 5];
  });
  /** The second level: an even game for most people. */
  readonly defaultBot = $derived(this.offerings?.levels[1] ?? this.offerings?.bots[0] ?? 'random');
  readonly easiestBot = $derived(this.offerings?.levels[0] ?? this.defaultBot);
  readonly playerName = $derived(this.name.trim() || t('start.guest'));

  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Load what the server offers, unless it is there already. */
  async loadOfferings(): Promise<void> {
    // An effect that loads does not run again for what it has loaded.
    if (untrack(() => this.offerings)) return;
    try {
      this.offerings = await withPacksKept(this.#server, await this.#server.offerings());
      const [first] = this.offerings.editions;
      if (!this.info && first && this.edition !== NEW_BOARD) this.edition = first.id;
      if (this.error === 'unreachable') this.error = null;
    } catch (error) {
      this.error = errorCode(error);
    }
  }

  /** Store name and edition for the next time. */
  save(): void {
    save('name', this.name.trim());
    save('edition', this.edition);
    save('new_board.region', this.region);
  }

  /** Create the table and store its token; returns its id, or null after an error. */
  async create(setup: Omit<CreateTable, 'id' | 'edition' | 'extras'>): Promise<string | null> {
    this.busy = true;
    this.save();
    try {
      return await this.#request({ ...setup, edition: this.#word(), extras: this.#extras() });
    } catch (error) {
      this.error = errorCode(error);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** The word of the edition at the server. */
  #word(): string {
    const seed = Math.floor(Math.random() * 1e9);
    return this.edition === NEW_BOARD ? `made-${this.size}-${seed}-${this.region}` : this.edition;
  }

  /** The packs that were chosen, as far as they belong to the board. */
  #extras(): string[] {
    const fitting = this.offerings?.packs.filter((pack) => pack.board === this.info?.board && pack.tickets.length);
    return this.packs.filter((name) => fitting?.some((pack) => pack.name === name));
  }

  /** The id is ours: a request that is repeated after a lost answer creates no second table. */
  async #request(setup: Omit<CreateTable, 'id'>): Promise<string> {
    const token = newToken();
    const id = newId();
    const part = newPart();
    const seats = setup.seats.map((seat) =>
      seat.kind === 'person' ? { ...seat, commitment: commitmentTo(part) } : seat,
    );
    const request = () => this.#server.create({ ...setup, seats, id }, token);
    const created = await request().catch((error: unknown) => {
      if (errorCode(error) === 'unreachable') return request();
      throw error;
    });
    keepSeats(created.table, created.held);
    savePart(created.table, part);
    return created.table;
  }
}
