import type {
  Accepted,
  AskHint,
  AskHistory,
  FromClient,
  FromServer,
  Hint,
  History,
  Refused,
  ShowFilm,
} from '../protocol.gen.ts';

type CommandMessage = Exclude<
  FromClient,
  { type: 'hello' } | { type: 'ping' } | { type: 'hint' } | { type: 'history' } | { type: 'film' }
>;
type Answer = Accepted | Hint | History | Refused;
type WithoutIds<T> = T extends unknown ? Omit<T, 'id' | 'known'> : never;
/** A command of the page; the connection adds its id and the number of the last known event. */
export type Command = WithoutIds<CommandMessage>;

/** The state of the connection; `replaced`: newer windows with the same seat have taken its place. */
export type Link = 'connecting' | 'open' | 'lost' | 'refused' | 'replaced';

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface Timers {
  after(milliseconds: number, act: () => void): unknown;
  cancel(timer: unknown): void;
}

const browserTimers: Timers = {
  after: (milliseconds, act) => setTimeout(act, milliseconds),
  cancel: (timer) => clearTimeout(timer as number),
};

export interface ConnectionOptions {
  readonly open: () => Socket;
  readonly table: string;
  readonly token: string | null;
  /** What this browser commits to as its part in the shuffle. */
  readonly commitment?: string | null;
  /** The number of the last event that is known, 0 before the first. */
  readonly known: () => number;
  readonly newId: () => string;
  readonly onMessage: (message: FromServer) => void;
  readonly onLink: (link: Link) => void;
  readonly timers?: Timers;
}

const FIRST_DELAY = 250;
/** Somebody waits in front of the page: the server is found again within a second of its return. */
const LONGEST_DELAY = 1_000;
/** Nobody looks at the page; when somebody does, the next try is made at once. */
const LONGEST_HIDDEN = 15_000;
/** A network that swallows everything: a socket that has not opened by then never will. */
const OPEN_WITHIN = 4_000;
/** The first state may take a while: a long game is read from its log. */
const STATE_WITHIN = 20_000;
/** A page that was asleep asks whether its socket still lives, and waits no longer than this. */
const AWAKE_WITHIN = 1_000;
const PING_EVERY = 20_000;
const PONG_WITHIN = 8_000;
const RESEND_AFTER = 1_500;
const MAX_REPEATS = 4;
/** The close code of a server that is replaced by another one on the same socket. */
const RESTART = 1012;
/** The close code of a seat that too many windows have open: the newest are kept. */
const REPLACED = 4409;

/** Refusals of the first message after which there is no use in another try. */
const FINAL = new Set<Refused['code']>([
  'no_such_table',
  'wrong_token',
  'no_spectators',
  'bad_message',
  'unreadable_game',
]);
/** Refusals that pass: the same command is sent again. */
const TRANSIENT = new Set<Refused['code']>(['store_locked', 'store_unavailable']);

/**
 * The one socket to a table. It reconnects by itself, asks for the events that were missed, and
 * sends unanswered commands again: they have ids, so the server executes none of them twice.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #timers: Timers;
  readonly #pending = new Map<
    string,
    { message: CommandMessage | AskHint | AskHistory; answer: (answer: Answer) => void; repeats: number }
  >();
  #socket: Socket | null = null;
  #ready = false;
  #stopped = false;
  #tries = 0;
  #pinged = 0;
  #running = new Set<unknown>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#timers = options.timers ?? browserTimers;
  }

  start(): void {
    this.#stopped = false;
    this.#open();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimers();
    this.#socket?.close();
    this.#socket = null;
  }

  /** The page is looked at again, or the network is back: connect now, unless the socket answers in a moment. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#socket && !this.#ready) return;
    this.#cancelTimers();
    if (!this.#socket) {
      this.#tries = 0;
      return this.#open();
    }
    this.ping();
    this.#after(AWAKE_WITHIN, () => this.#abandon());
  }

  /** Give up a socket that is dead without having closed. */
  #abandon(): void {
    const socket = this.#socket;
    this.#lost();
    socket?.close();
  }

  /** Send a command; the answer comes even if the socket is lost in between. */
  command(command: Command): Promise<Accepted | Refused> {
    const message = { ...command, id: this.#options.newId(), known: this.#options.known() } as CommandMessage;
    return this.#request(message) as Promise<Accepted | Refused>;
  }

  /** Ask whether the server is there, and for its time; the answer is a message like others. */
  ping(): void {
    this.#pinged = Date.now();
    this.#send({ type: 'ping' });
  }

  /** When the last ping was sent, in milliseconds since 1970. */
  get pinged(): number {
    return this.#pinged;
  }

  /** Ask what a bot would do here. */
  hint(): Promise<Hint | Refused> {
    return this.#request({ type: 'hint', id: this.#options.newId() }) as Promise<Hint | Refused>;
  }

  /** Ask for the events before a number. */
  history(before: number): Promise<History | Refused> {
    return this.#request({ type: 'history', id: this.#options.newId(), before }) as Promise<History | Refused>;
  }

  /** Show others a moment of the film; what is lost is not sent again. */
  showFilm(shown: Omit<ShowFilm, 'type'>): void {
    if (this.#ready) this.#send({ type: 'film', ...shown });
  }

  #request(message: CommandMessage | AskHint | AskHistory): Promise<Answer> {
    return new Promise((answer) => {
      this.#pending.set(message.id, { message, answer, repeats: 0 });
      if (this.#ready) this.#send(message);
    });
  }

  #open(): void {
    this.#options.onLink(this.#tries === 0 ? 'connecting' : 'lost');
    const socket = this.#options.open();
    this.#socket = socket;
    this.#after(OPEN_WITHIN, () => this.#abandon());
    socket.onopen = () => {
      this.#cancelTimers();
      this.#after(STATE_WITHIN, () => this.#abandon());
      const { table, token, commitment } = this.#options;
      this.#send({ type: 'hello', table, token, known: this.#options.known(), ...(commitment ? { commitment } : {}) });
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      if (code === REPLACED) this.#replaced();
      else this.#lost(code === RESTART);
    };
  }

  #receive(message: FromServer): void {
    this.#cancelTimers();
    if (!this.#ready && message.type === 'refused') {
      if (!FINAL.has(message.code)) return; // the server closes this socket, and another is tried later
      this.#stopped = true;
      this.#options.onMessage(message);
      this.#options.onLink('refused');
      return;
    }
    if (message.type === 'state' && !this.#ready) {
      this.#ready = true;
      this.#tries = 0;
      this.#options.onMessage(message);
      this.#options.onLink('open');
      this.#sendPending();
    } else {
      this.#settle(message);
      this.#options.onMessage(message);
    }
    this.#heartbeat();
  }

  #settle(message: FromServer): void {
    if (!('id' in message)) return;
    const pending = message.id === null ? undefined : this.#pending.get(message.id);
    if (pending && message.type === 'refused' && TRANSIENT.has(message.code) && pending.repeats < MAX_REPEATS) {
      pending.repeats += 1;
      this.#timers.after(RESEND_AFTER, () => this.#sendPending());
    } else if (message.id !== null) {
      pending?.answer(message);
      this.#pending.delete(message.id);
    } else if (message.type === 'refused' && message.code === 'too_fast') {
      this.#timers.after(RESEND_AFTER, () => this.#sendPending());
    }
  }

  /** A socket can be dead without closing: ping it now and then. */
  #heartbeat(): void {
    this.#after(PING_EVERY, () => {
      this.ping();
      this.#after(PONG_WITHIN, () => this.#abandon());
    });
  }

  /** Leave the seat to the newer windows: to connect again by itself would be a war without end. */
  #replaced(): void {
    this.#socket = null;
    this.#ready = false;
    this.#stopped = true;
    this.#cancelTimers();
    this.#options.onLink('replaced');
  }

  /** Try again soon. A server that restarts answers in a moment: only if it does not, the link counts as lost. */
  #lost(restart = false): void {
    this.#socket = null;
    this.#ready = false;
    this.#cancelTimers();
    if (this.#stopped) return;
    if (!restart) this.#tries += 1;
    this.#options.onLink(this.#tries === 0 ? 'connecting' : 'lost');
    const longest = globalThis.document?.hidden ? LONGEST_HIDDEN : LONGEST_DELAY;
    const delay = Math.min(longest, FIRST_DELAY * 2 ** Math.max(0, this.#tries - 1));
    this.#after(delay * (0.75 + Math.random() / 2), () => this.#open());
  }

  #sendPending(): void {
    if (!this.#ready) return;
    for (const { message } of this.#pending.values()) this.#send(message);
  }

  #send(message: FromClient): void {
    try {
      this.#socket?.send(JSON.stringify(message));
    } catch {
      // A socket that closes just now: the command goes out again on the next one.
    }
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = this.#timers.after(milliseconds, () => {
      this.#running.delete(timer);
      act();
    });
    this.#running.add(timer);
  }

  #cancelTimers(): void {
    for (const timer of this.#running) this.#timers.cancel(timer);
    this.#running.clear();
  }
}
