import type { Accepted, AskHint, FromClient, FromServer, Hint, Refused } from '../protocol.gen.ts';

type CommandMessage = Exclude<FromClient, { type: 'hello' } | { type: 'ping' } | { type: 'hint' }>;
type Answer = Accepted | Hint | Refused;
type WithoutIds<T> = T extends unknown ? Omit<T, 'id' | 'known'> : never;
/** A command as the page gives it: its id and what it knows of are put in here. */
export type Wish = WithoutIds<CommandMessage>;

export type Link = 'connecting' | 'open' | 'lost' | 'refused';

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface Clockwork {
  after(milliseconds: number, act: () => void): unknown;
  cancel(timer: unknown): void;
}

const clockwork: Clockwork = {
  after: (milliseconds, act) => setTimeout(act, milliseconds),
  cancel: (timer) => clearTimeout(timer as number),
};

export interface Ends {
  readonly dial: () => Socket;
  readonly table: string;
  readonly token: string | null;
  /** The number of the last event that is known, 0 before the first. */
  readonly known: () => number;
  readonly newId: () => string;
  readonly heard: (message: FromServer) => void;
  readonly linked: (link: Link) => void;
  readonly clockwork?: Clockwork;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;
const PING_EVERY = 20_000;
const PONG_WITHIN = 8_000;
const AGAIN_AFTER = 1_500;
const MOST_REPEATS = 4;

/** At the door: it is of no use to come again. */
const FINAL = new Set<Refused['code']>([
  'no_such_table', 'wrong_token', 'no_spectators', 'bad_message', 'unreadable_game',
]);
/** A command that came at a bad moment; the same one is sent again. */
const PASSING = new Set<Refused['code']>(['store_locked', 'store_unavailable']);

/**
 * The one socket to a table. It comes back by itself, asks for what was missed, and sends commands
 * again that were not answered: they have ids, so the server does none of them twice.
 */
export class Connection {
  readonly #ends: Ends;
  readonly #clock: Clockwork;
  readonly #pending = new Map<
    string,
    { message: CommandMessage | AskHint; answer: (answer: Answer) => void; repeats: number }
  >();
  #socket: Socket | null = null;
  #ready = false;
  #stopped = false;
  #tries = 0;
  #timers = new Set<unknown>();

  constructor(ends: Ends) {
    this.#ends = ends;
    this.#clock = ends.clockwork ?? clockwork;
  }

  start(): void {
    this.#stopped = false;
    this.#dial();
  }

  stop(): void {
    this.#stopped = true;
    this.#forgetTimers();
    this.#socket?.close();
    this.#socket = null;
  }

  /** Do not wait any longer for the next try. */
  hurry(): void {
    if (this.#stopped || this.#socket) return;
    this.#forgetTimers();
    this.#tries = 0;
    this.#dial();
  }

  command(wish: Wish): Promise<Accepted | Refused> {
    const message = { ...wish, id: this.#ends.newId(), known: this.#ends.known() } as CommandMessage;
    return this.#ask(message) as Promise<Accepted | Refused>;
  }

  /** What would a bot do here? */
  hint(): Promise<Hint | Refused> {
    return this.#ask({ type: 'hint', id: this.#ends.newId() }) as Promise<Hint | Refused>;
  }

  #ask(message: CommandMessage | AskHint): Promise<Answer> {
    return new Promise((answer) => {
      this.#pending.set(message.id, { message, answer, repeats: 0 });
      if (this.#ready) this.#send(message);
    });
  }

  #dial(): void {
    this.#ends.linked(this.#tries === 0 ? 'connecting' : 'lost');
    const socket = this.#ends.dial();
    this.#socket = socket;
    socket.onopen = () => {
      const { table, token } = this.#ends;
      this.#send({ type: 'hello', table, token, known: this.#ends.known() });
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lose();
    };
  }

  #hear(message: FromServer): void {
    this.#forgetTimers();
    if (!this.#ready && message.type === 'refused') {
      if (!FINAL.has(message.code)) return; // the socket closes now, and another is tried later
      this.#stopped = true;
      this.#ends.heard(message);
      this.#ends.linked('refused');
      return;
    }
    if (message.type === 'state' && !this.#ready) {
      this.#ready = true;
      this.#tries = 0;
      this.#ends.heard(message);
      this.#ends.linked('open');
      this.#sendPending();
    } else {
      this.#settle(message);
      this.#ends.heard(message);
    }
    this.#watch();
  }

  #settle(message: FromServer): void {
    if (message.type !== 'accepted' && message.type !== 'hint' && message.type !== 'refused') return;
    const pending = message.id === null ? undefined : this.#pending.get(message.id);
    if (pending && message.type === 'refused' && PASSING.has(message.code) && pending.repeats < MOST_REPEATS) {
      pending.repeats += 1;
      this.#clock.after(AGAIN_AFTER, () => this.#sendPending());
    } else if (message.id !== null) {
      pending?.answer(message);
      this.#pending.delete(message.id);
    } else if (message.type === 'refused' && message.code === 'too_fast') {
      this.#clock.after(AGAIN_AFTER, () => this.#sendPending());
    }
  }

  /** A socket can be dead without a word: ask now and then. */
  #watch(): void {
    this.#after(PING_EVERY, () => {
      this.#send({ type: 'ping' });
      this.#after(PONG_WITHIN, () => {
        this.#socket?.close();
        this.#lose();
      });
    });
  }

  #lose(): void {
    this.#socket = null;
    this.#ready = false;
    this.#forgetTimers();
    if (this.#stopped) return;
    this.#tries += 1;
    this.#ends.linked('lost');
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.#tries - 1));
    this.#after(wait * (0.75 + Math.random() / 2), () => this.#dial());
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
    const timer = this.#clock.after(milliseconds, () => {
      this.#timers.delete(timer);
      act();
    });
    this.#timers.add(timer);
  }

  #forgetTimers(): void {
    for (const timer of this.#timers) this.#clock.cancel(timer);
    this.#timers.clear();
  }
}
