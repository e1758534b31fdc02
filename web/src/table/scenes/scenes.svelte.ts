import type { State } from '../../protocol.gen.ts';
import { scenesOf, type CardScene, type FlushScene, type TunnelScene } from './scene.ts';

/** A card on its way from the display or the deck to whoever took it. */
export interface Flight extends CardScene {
  readonly id: number;
}

export interface ScenesOptions {
  /** The pace that the viewer has chosen, in milliseconds for a decision; 0: everything at once. */
  readonly pace: () => number;
  /** The number of the last event that is shown, 0 before the first. */
  readonly known: () => number;
  /** Whether nothing may move. */
  readonly still: () => boolean;
}

const LIKELY = 800; // the pace for which the times below are made
const CARD_TIME = 750;
const VERDICT_TIME = 1_500;
const FLUSH_TIME = 1_800;
const LAST = 3;

/**
 * Plays what happens in front of everybody. A tunnel and a flush come before the state that follows
 * from them, so that nobody reads the price before the third card; cards fly when the state is shown.
 */
export class Scenes {
  /** The tunnel on stage, how many of its cards are turned up, and whether the price is told. */
  tunnel = $state.raw<{ readonly scene: TunnelScene; readonly turned: number; readonly told: boolean } | null>(null);
  flush = $state.raw<FlushScene | null>(null);
  flights = $state.raw<readonly Flight[]>([]);
  readonly #options: ScenesOptions;
  #flights = 0;
  #wake: (() => void) | null = null;
  #skipped = false;

  constructor(options: ScenesOptions) {
    this.#options = options;
  }

  /** Play what comes before a state; null: nothing does. */
  before(state: State): Promise<void> | null {
    const known = this.#options.known();
    if (this.#options.pace() === 0 || known === 0) return null;
    const scenes = scenesOf(state, known).filter((scene) => scene.kind !== 'card');
    return scenes.length ? this.#play(scenes) : null;
  }

  /** Let the cards fly that were taken since event `known`. */
  after(state: State, known: number): void {
    if (this.#options.pace() === 0 || this.#options.still() || known === 0) return;
    const cards = scenesOf(state, known).filter((scene) => scene.kind === 'card');
    this.flights = [...this.flights, ...cards.map((scene) => ({ ...scene, id: (this.#flights += 1) }))];
  }

  /** A flight has ended. */
  landed(id: number): void {
    this.flights = this.flights.filter((flight) => flight.id !== id);
  }

  /** The viewer has seen enough. */
  skip = (): void => {
    this.#skipped = true;
    this.#wake?.();
  };

  async #play(scenes: readonly (TunnelScene | FlushScene)[]): Promise<void> {
    this.#skipped = false;
    for (const scene of scenes) {
      if (scene.kind === 'flush') {
        this.flush = scene;
        await this.#wait(FLUSH_TIME);
        this.flush = null;
        continue;
      }
      for (let turned = 0; turned <= Math.min(LAST, scene.revealed.length); turned += 1) {
        this.tunnel = { scene, turned, told: false };
        await this.#wait(CARD_TIME);
      }
      this.tunnel = { scene, turned: scene.revealed.length, told: true };
      await this.#wait(VERDICT_TIME);
      this.tunnel = null;
    }
  }

  async #wait(time: number): Promise<void> {
    if (this.#skipped) return;
    const scaled = time * Math.max(0.7, Math.min(2, this.#options.pace() / LIKELY));
    await new Promise<void>((done) => {
      const timer = setTimeout(done, scaled);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
    this.#wake = null;
  }
}
