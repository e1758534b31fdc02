interface Pressing {
  /** Wait until there is something to press. */
  ready(): Promise<unknown>;
  /** Press it, and say what it was. */
  press(): Promise<string>;
}

/** Several players at one table: whoever can press something is the next. */
export class Turns<Player extends Pressing> {
  readonly #players: readonly Player[];
  readonly #waiting = new Map<Player, Promise<Player>>();

  constructor(players: readonly Player[]) {
    this.#players = players;
  }

  /** Wait until somebody can press something. */
  next(): Promise<Player> {
    for (const player of this.#players) {
      if (!this.#waiting.has(player))
        this.#waiting.set(
          player,
          player.ready().then(() => player),
        );
    }
    return Promise.race(this.#waiting.values());
  }

  /** Let whoever can press something do so, so many times, or until the game is over; return whether it is. */
  async play(times = Infinity): Promise<boolean> {
    for (let pressed = 0; pressed < times; pressed += 1) {
      const next = await this.next();
      this.forget(next);
      if ((await next.press()) === 'over') return true;
    }
    return false;
  }

  /** Wait for a player anew, whose page is another one now. */
  forget(player: Player): void {
    this.#waiting.delete(player);
  }
}
