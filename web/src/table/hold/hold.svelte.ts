import type { Command } from '../../connection/connection.ts';

export interface HoldOptions {
  /** Milliseconds to hold a command for. */
  readonly time: () => number;
  /** Whether the server can be reached. */
  readonly online: () => boolean;
  /** Milliseconds that the clock of the game leaves; null without one. */
  readonly left: () => number | null;
  /** Send the command; returns, when what it led to is shown, whether the server has accepted it. */
  readonly send: (command: Command) => Promise<boolean>;
  /** Called when a command begins to be held, and with null when it has been answered or taken back. */
  readonly changed: (command: Command | null) => void;
}

const BOUNCE = 350; // milliseconds: a tap so soon after the first is the same tap
const MARGIN = 1_000; // milliseconds before the clock runs out at which a held move is sent

/**
 * A command that is held before it leaves this device: shown as done, taken back by one tap, and
 * carried out by the next, or when its time is over. Without a connection it waits, and its time
 * begins when there is one again: nothing is sent that the person cannot see and take back.
 */
export class Hold {
  /** The command that is held, or on its way. */
  command = $state.raw<Command | null>(null);
  /** It has left, and the answer is not there yet. */
  sent = $state(false);
  /** When it is carried out, and for how long it is held; null while it waits for the connection. */
  until = $state.raw<{ readonly at: number; readonly time: number } | null>(null);
  readonly #options: HoldOptions;
  #began = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #finished: ((accepted: boolean) => void) | undefined;

  constructor(options: HoldOptions) {
    this.#options = options;
  }

  /** Whether a command can still be taken back. */
  get active(): boolean {
    return this.command !== null && !this.sent;
  }

  /** Hold a command; returns, when it has been answered or taken back, whether it was accepted. */
  begin(command: Command): Promise<boolean> {
    if (this.sent) return Promise.resolve(false); // one at a time: its answer is awaited
    this.takeBack();
    this.command = command;
    this.sent = false;
    this.#began = Date.now();
    this.#options.changed(command);
    const finished = new Promise<boolean>((finish) => (this.#finished = finish));
    this.run();
    return finished;
  }

  /** Begin to count the time as soon as there is a connection; stop while there is none. */
  run(): void {
    clearTimeout(this.#timer);
    this.until = null;
    if (!this.active || !this.#options.online()) return;
    const left = this.#options.left();
    const time = Math.max(0, Math.min(this.#options.time(), left === null ? Infinity : left - MARGIN));
    if (time === 0) return void this.carryOut();
    this.until = { at: Date.now() + time, time };
    this.#timer = setTimeout(() => void this.carryOut(), time);
  }

  /** Take the command back; returns it, or null where nothing can be taken back. */
  takeBack(): Command | null {
    if (!this.active) return null;
    const { command } = this;
    this.#end(false);
    return command;
  }

  /** The next tap of the same person: carry the command out, unless it is the first tap bouncing. */
  tap(): Promise<boolean> | null {
    if (!this.active || Date.now() - this.#began < BOUNCE) return null;
    return this.carryOut();
  }

  /** Send the command now; without a connection it waits. */
  async carryOut(): Promise<boolean> {
    const { command } = this;
    if (command === null || this.sent || !this.#options.online()) return false;
    clearTimeout(this.#timer);
    this.until = null;
    this.sent = true;
    const accepted = await this.#options.send(command);
    if (this.command === command) this.#end(accepted);
    return accepted;
  }

  #end(accepted: boolean): void {
    clearTimeout(this.#timer);
    this.command = null;
    this.until = null;
    this.sent = false;
    this.#options.changed(null);
    const finish = this.#finished;
    this.#finished = undefined;
    finish?.(accepted);
  }
}
