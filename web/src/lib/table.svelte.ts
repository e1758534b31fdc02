import type { Picture } from '../board/picture.ts';
import type { Accepted, FromServer, Presence, Refused, State } from '../protocol.gen.ts';
import { Connection, type Link, type Socket, type Wish } from './connection.ts';
import { Edition } from './edition.ts';
import { foldEntries, type Entry } from './folding.ts';
import type { Server, Trouble } from './http.ts';
import { newSecret } from './keeping.ts';
import { readMoves, type Menu } from './moves.ts';

const NOTHING = readMoves([]);

/** A table as this viewer knows it: what the server has said, and nothing worked out besides. */
export class TableModel {
  readonly id: string;
  readonly token: string | null;
  link = $state<Link>('connecting');
  state = $state.raw<State | null>(null);
  entries = $state.raw<readonly Entry[]>([]);
  /** What came with the last message: for the log read aloud. */
  news = $state.raw<readonly Entry[]>([]);
  presence = $state.raw<Presence | null>(null);
  edition = $state.raw<Edition | null>(null);
  /** How the board is drawn; `none` where the server knows no picture of it. */
  picture = $state.raw<Picture | 'none' | null>(null);
  turnedAway = $state<Refused['code'] | null>(null);
  busy = $state(false);

  readonly table = $derived(this.state?.table ?? null);
  readonly public = $derived(this.state?.public ?? null);
  readonly own = $derived(this.state?.own ?? null);
  readonly final = $derived(this.state?.final ?? null);
  readonly seat = $derived(this.own?.seat ?? null);
  readonly menu: Menu = $derived(this.own?.moves ? readMoves(this.own.moves.actions) : NOTHING);
  readonly barred = $derived(this.own?.moves?.barred ?? {});
  /** Whether this seat is to decide something now, and can. */
  readonly asked = $derived(
    !!this.own?.moves && !this.table?.paused && !this.table?.seats[this.own.seat]?.away,
  );
  readonly owners = $derived.by(() => {
    const owners: Record<string, number> = {};
    this.public?.seats.forEach((seat, number) => {
      for (const route of seat.routes) owners[route] = number;
    });
    return owners;
  });
  readonly stations = $derived.by(() => {
    const stations: Record<string, number> = {};
    this.public?.seats.forEach((seat, number) => {
      for (const city of seat.stations) stations[city] = number;
    });
    return stations;
  });

  /** The event that the last command has become. */
  #due = 0;
  readonly #server: Server;
  readonly #connection: Connection;

  constructor(server: Server, socketUrl: string, id: string, token: string | null) {
    this.#server = server;
    this.id = id;
    this.token = token;
    this.#connection = new Connection({
      dial: () => new WebSocket(socketUrl) as unknown as Socket,
      table: id,
      token,
      known: () => this.state?.number ?? 0,
      newId: () => newSecret(12),
      heard: (message) => this.#hear(message),
      linked: (link) => {
        this.link = link;
      },
    });
  }

  start(): () => void {
    const hurry = () => this.#connection.hurry();
    const seen = () => {
      if (!document.hidden) hurry();
    };
    this.#connection.start();
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', seen);
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', seen);
      this.#connection.stop();
    };
  }

  /** One command after the other: until what came of one is seen, a second click does nothing. */
  async send(wish: Wish): Promise<Accepted | Refused | null> {
    if (this.busy) return null;
    this.busy = true;
    const answer = await this.#connection.command(wish);
    if (answer.type === 'accepted') this.#due = answer.number;
    if (this.#due <= (this.state?.number ?? 0)) this.busy = false;
    return answer;
  }

  record = () => this.#server.record(this.id, this.token);

  #hear(message: FromServer): void {
    if (message.type === 'presence') this.presence = message;
    else if (message.type === 'state') this.#stand(message);
    else if (message.type === 'refused' && this.state === null) this.turnedAway = message.code;
  }

  #stand(state: State): void {
    let last = this.state?.number ?? 0;
    if (state.number < last) {
      if (state.since < state.number) return; // an older message
      last = 0; // the server knows less than we do: what it says holds
      this.entries = [];
    }
    this.entries = foldEntries(this.entries, last, state);
    this.news = last === 0 ? [] : this.entries.filter((entry) => entry.number > last);
    this.state = state;
    if (this.#due > last && this.#due <= state.number) this.busy = false;
    void this.#learn(state);
  }

  async #learn({ table }: State): Promise<void> {
    if (this.edition && this.picture) return;
    try {
      const document = await this.#server.edition(table.edition, table.extras);
      this.edition ??= new Edition(document);
      this.picture ??= await this.#server.picture(document.board, table.edition).catch((trouble: Trouble) => {
        if (trouble.code === 'unreachable') throw trouble;
        return 'none' as const;
      });
    } catch {
      setTimeout(() => this.state && void this.#learn(this.state), 1_000);
    }
  }
}
