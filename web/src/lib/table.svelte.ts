import type { Picture } from '../board/picture.ts';
import type { Accepted, FromServer, Hint, Presence, Refused, State } from '../protocol.gen.ts';
import { Connection, type Link, type Socket, type Wish } from './connection.ts';
import { Edition } from './edition.ts';
import { foldEntries, type Entry } from './folding.ts';
import type { Server } from './http.ts';
import { newSecret } from './keeping.ts';
import { readMoves, type Menu } from './moves.ts';
import { pace, Pacer } from './pacing.ts';

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
  picture = $state.raw<Picture | null>(null);
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
  /** The number of this seat's last decision, 0 before the first. */
  readonly lastTurn = $derived(
    this.entries.findLast((entry) => entry.entry === 'decided' && entry.seat === this.seat)?.number ?? 0,
  );
  /** Routes that others have claimed since then. */
  readonly fresh = $derived.by(() => {
    const claimed = this.entries.flatMap((entry) => {
      if (entry.number <= this.lastTurn || entry.entry !== 'decided' || entry.seat === this.seat) return [];
      return entry.events.flatMap((event) => (event.event === 'claim' ? [event.route] : []));
    });
    return new Set(this.seat === null || this.final ? [] : claimed);
  });
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
  readonly #pacer = new Pacer(pace, (state) => this.#stand(state));

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
        if (link !== 'open') this.#pacer.flush();
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

  /** Ask what a bot would do; the answer holds until anything happens. */
  hint(): Promise<Hint | Refused> {
    return this.#connection.hint();
  }

  record = () => this.#server.record(this.id, this.token);

  #hear(message: FromServer): void {
    if (message.type === 'presence') this.presence = message;
    else if (message.type === 'state') this.#pacer.take(message);
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
      this.picture ??= await this.#server.picture(document.board, table.edition);
    } catch {
      setTimeout(() => this.state && void this.#learn(this.state), 1_000);
    }
  }
}
