import type { Picture } from '../board/picture.ts';
import type { Accepted, FromServer, Hint, Presence, Refused, State, TableInfo } from '../protocol.gen.ts';
import { Connection, type Command, type Link } from '../connection/connection.ts';
import { Edition } from './edition.ts';
import type { Server } from '../connection/http.ts';
import { extendLog, prependLog, type Entry } from './log.ts';
import { parseMoves, type LegalMoves } from './moves.ts';
import { loadPace, Pacer } from './pace.ts';
import { noteTable } from '../my_tables/my_tables.ts';
import { noteServerTime } from '../connection/server_time.ts';
import { commitmentTo, noteSeen, partAt } from './shuffle.ts';
import { newId } from '../connection/tokens.ts';

const NO_MOVES = parseMoves([]);
const TRIES = 5; // requests for what the page needs, each a little later than the one before

/** The colours of the trains, by seat, as far as they are known. */
const colorsOf = ({ seats }: TableInfo): string[] => seats.flatMap(({ color }) => (color ? [color] : []));

/** A table as this viewer knows it: what the server has sent, sorted for the page. No rule is applied here. */
export class TableModel {
  readonly id: string;
  readonly token: string | null;
  /** Seconds by which everything is shown later, to an audience from which somebody who plays could learn. */
  readonly #delay: number;
  link = $state<Link>('connecting');
  state = $state.raw<State | null>(null);
  entries = $state.raw<readonly Entry[]>([]);
  /** The entries that came with the last message: for the log that is read aloud. */
  news = $state.raw<readonly Entry[]>([]);
  presence = $state.raw<Presence | null>(null);
  edition = $state.raw<Edition | null>(null);
  picture = $state.raw<Picture | null>(null);
  /** The board cannot be had: the server has not answered for it several times. */
  stranded = $state(false);
  refusal = $state<Refused['code'] | null>(null);
  /** The seats of people who share this device: they are here whether they are connected or not. */
  here: readonly number[] = [];
  /** Whether it is one of this browser's tables, which its list keeps. */
  noted = true;
  /** A command is under way. */
  busy = $state(false);

  /** A move that is held is shown as done: what to make of the state, until this seat has decided again. */
  preview = $state.raw<{ readonly since: number; readonly show: (state: State) => State } | null>(null);

  readonly #shown = $derived.by(() => {
    const { preview, state } = this;
    return preview && state && preview.since === this.lastTurn ? preview.show(state) : state;
  });
  readonly table = $derived(this.state?.table ?? null);
  readonly public = $derived(this.#shown?.public ?? null);
  readonly own = $derived(this.#shown?.own ?? null);
  readonly final = $derived(this.state?.final ?? null);
  readonly seat = $derived(this.state?.own?.seat ?? null);
  /** The seat that this viewer holds, also before the game. */
  readonly held = $derived(this.state?.seat ?? null);
  readonly moves: LegalMoves = $derived(this.own?.moves ? parseMoves(this.own.moves.actions) : NO_MOVES);
  /** Why other moves are not legal, by verb and target. */
  readonly barred = $derived(this.own?.moves?.barred ?? {});
  /** Whether my last moves can be taken back: alone in practice, else if all agree. */
  readonly canTakeBack = $derived(this.seat !== null && !!this.table?.undoable?.includes(this.seat));
  /** Whether this seat has to decide something now, and can. */
  readonly deciding = $derived(!!this.own?.moves && !this.table?.paused && !this.table?.seats[this.own.seat]?.away);
  /** The event of the start, once the game has begun. */
  readonly started = $derived(this.entries.find((entry) => entry.entry === 'started') ?? null);
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
  /** What this seat has to decide now, as a text to compare: others may move meanwhile, as in the choice of first tickets. */
  readonly decision = $derived(this.deciding ? [this.lastTurn, ...this.own!.moves!.actions].join('\n') : '');
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

  /** This browser's part in the shuffle; it is sent when all are there. */
  readonly #part: string | null;
  #revealing = false;
  #loadingHistory = false;
  #loadingEdition = false;
  #failures = 0;
  #timed = false;
  /** The number of the event that the last command has become. */
  #due = 0;
  #settled: (() => void)[] = [];
  readonly #server: Server;
  readonly #connection: Connection;
  /** What is played before a state is shown, and when it is; the session sets it. */
  scenes: {
    before(state: State): Promise<void> | null;
    after(state: State, known: number): void;
    skip(): void;
  } | null = null;
  readonly #pacer = new Pacer(
    loadPace,
    (state) => this.#show(state),
    (state) => this.scenes?.before(state) ?? null,
    () => this.scenes?.skip(),
  );

  constructor(server: Server, id: string, token: string | null, delay = 0) {
    this.#server = server;
    this.id = id;
    this.token = token;
    this.#delay = delay;
    this.#part = token === null ? null : partAt(id);
    this.#connection = new Connection({
      open: server.open,
      table: id,
      token,
      commitment: this.#part === null ? null : commitmentTo(this.#part),
      known: () => this.state?.number ?? 0,
      newId,
      onMessage: (message) => this.#receive(message),
      onLink: (link) => {
        if (link !== 'open') this.#pacer.flush();
        this.link = link;
      },
    });
  }

  /** Connect; returns a function that disconnects. */
  start(): () => void {
    const retry = () => this.#connection.wake();
    const visible = () => {
      if (!document.hidden) retry();
    };
    this.#connection.start();
    addEventListener('online', retry);
    document.addEventListener('visibilitychange', visible);
    return () => {
      removeEventListener('online', retry);
      document.removeEventListener('visibilitychange', visible);
      this.#connection.stop();
    };
  }

  /** Use the table here, after newer windows had taken its place. */
  takeOver(): void {
    this.#connection.start();
  }

  /** Send a command, unless one is under way: then return null, so that a second click does nothing. */
  async send(command: Command): Promise<Accepted | Refused | null> {
    if (this.busy) return null;
    this.busy = true;
    const answer = await this.#connection.command(command);
    if (answer.type === 'accepted') this.#due = answer.number;
    if (this.#due <= (this.state?.number ?? 0)) this.#settle();
    return answer;
  }

  /** Send what is no move and waits for none: talk, and where to be told of a turn. */
  tell(command: Extract<Command, { type: 'say' | 'report' | 'notify' | 'subscribe' }>): Promise<Accepted | Refused> {
    return this.#connection.command(command);
  }

  /** The key with which a browser subscribes to be told of turns; null where the server tells none. */
  pushKey = async () => (await this.#server.push()).key;

  /** Return when what the last command led to is shown. */
  settled(): Promise<void> {
    return this.busy ? new Promise((done) => this.#settled.push(done)) : Promise.resolve();
  }

  #settle(): void {
    this.busy = false;
    for (const done of this.#settled.splice(0)) done();
  }

  /** Ask what a bot would do. */
  hint(): Promise<Hint | Refused> {
    return this.#connection.hint();
  }

  record = () => this.#server.record(this.id, this.token);

  /** Give back the seat that is kept at another table, the rematch. */
  decline = (table: string) => this.#server.decline(table, this.token ?? '');

  #receive(message: FromServer): void {
    if (message.type === 'presence')
      this.presence = { ...message, seats: message.seats.map((one, seat) => one || this.here.includes(seat)) };
    else if (message.type === 'pong' && message.now) noteServerTime(message.now, this.#connection.pinged);
    else if (message.type === 'state') this.#later(message);
    else if (message.type === 'refused' && this.state === null) this.refusal = message.code;
  }

  #later(state: State): void {
    if (!this.#delay) return this.#pacer.add(state);
    const { table } = state;
    const deadline = table.deadline === null ? null : table.deadline + this.#delay;
    setTimeout(() => this.#pacer.add({ ...state, table: { ...table, deadline } }), this.#delay * 1_000);
  }

  #show(state: State): void {
    let last = this.state?.number ?? 0;
    if (state.number < last) {
      if (state.since < state.number) return; // an older message
      last = 0; // the server has lost events that we know: what it says is valid
      this.entries = [];
    }
    this.entries = extendLog(this.entries, last, state);
    this.news = last === 0 ? [] : this.entries.filter((entry) => entry.number > last);
    this.state = state;
    this.scenes?.after(state, last);
    if (this.#due > last && this.#due <= state.number) this.#settle();
    noteSeen(state.table, this.started?.shuffle ?? null);
    if (this.noted && this.token !== null && !this.here.length)
      noteTable(state.table, state.own ? [state.own.seat] : null);
    void this.#reveal(state);
    const colors = colorsOf(state.table);
    if (this.edition && colors.some((color, seat) => color !== this.edition?.colorOf(seat)))
      this.edition = new Edition(this.edition.document, colors);
    if (!this.#timed && state.table.clock.kind !== 'none') {
      this.#timed = true;
      this.#connection.ping();
    }
    void this.#loadEdition(state);
    void this.#loadHistory();
  }

  /** All are there: reveal what this browser has committed to. What the others committed to is noted before. */
  async #reveal({ table }: State): Promise<void> {
    const { shuffle } = table;
    if (this.#part === null || this.#revealing || table.status !== 'waiting' || shuffle?.reveal_by == null) return;
    const mine = commitmentTo(this.#part);
    if (!shuffle.seats.some((one) => one?.commitment === mine && !one.revealed)) return;
    this.#revealing = true;
    await this.#connection.command({ type: 'reveal', part: this.#part });
    this.#revealing = false;
  }

  /** Of a long game the server sends the latest events: ask for those before, page by page. */
  async #loadHistory(): Promise<void> {
    if (this.#loadingHistory) return;
    this.#loadingHistory = true;
    let waits = 0;
    for (let first = this.entries[0]?.number ?? 1; first > 1;) {
      const page = await this.#connection.history(first);
      if (page.type === 'refused') {
        if (page.code !== 'too_fast' || (waits += 1) > TRIES) break;
        await new Promise((later) => setTimeout(later, 1_000));
        continue;
      }
      this.entries = prependLog(this.entries, page.entries);
      const now = this.entries[0]?.number ?? 1;
      if (now === first) break; // the log has begun anew meanwhile
      first = now;
    }
    this.#loadingHistory = false;
  }

  async #loadEdition({ table }: State): Promise<void> {
    if ((this.edition && this.picture) || this.#loadingEdition) return;
    this.#loadingEdition = true;
    try {
      const document = await this.#server.editionOf(table.id);
      this.edition ??= new Edition(document, colorsOf(this.state?.table ?? table));
      this.picture ??= await this.#server.picture(table.edition);
      this.stranded = false;
    } catch {
      this.#failures += 1;
      this.stranded = this.#failures >= TRIES;
      if (!this.stranded) setTimeout(() => this.state && void this.#loadEdition(this.state), 1_000 * this.#failures);
    }
    this.#loadingEdition = false;
  }
}
