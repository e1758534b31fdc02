/** A film as the client holds it: a whole frame for every step, made once from the changes that the server sends. */
import type { Film, FilmStep, Frame, Interlude, OpenHand, PublicState, SeatState } from '../protocol.gen.ts';

export type GameEvent = Film['deal'][number];
export type Eyes = Film['eyes'];

/** What can be jumped to. */
export const JUMPS = ['turn', 'own', 'claim', 'key'] as const;
export type Jump = (typeof JUMPS)[number];

/** Frames that share everything that has not changed: a jump to any of them costs nothing. */
export class Reel {
  readonly film: Film;
  /** The frame after the deal, then the one after every step. */
  readonly frames: readonly Frame[];
  /** The number of the last frame; that of the deal is 0. */
  readonly last: number;
  /** The frame in which a route was claimed, or a station was built in a city. */
  readonly claimed: ReadonlyMap<string, number>;
  readonly built: ReadonlyMap<string, number>;
  /** The first and the last frame of every turn; turn 0 is the rest of the set-up. */
  readonly #turns = new Map<number, { readonly first: number; last: number }>();
  /** Frames in which the lead changed, or the last round began. */
  readonly turningPoints: readonly number[];

  /** What happened beside the game, where it was asked for. */
  readonly interludes: readonly Interlude[];

  constructor(film: Film, interludes: readonly Interlude[] = []) {
    this.film = film;
    this.interludes = interludes;
    const frames = [film.first];
    for (const step of film.steps) frames.push(next(frames.at(-1)!, step));
    this.frames = frames;
    this.last = frames.length - 1;
    const claimed = new Map<string, number>();
    const built = new Map<string, number>();
    film.steps.forEach(({ turn, events }, at) => {
      const known = this.#turns.get(turn);
      if (known) known.last = at + 1;
      else this.#turns.set(turn, { first: at + 1, last: at + 1 });
      for (const event of events) {
        if (event.event === 'claim') claimed.set(event.route, at + 1);
        else if (event.event === 'station') built.set(event.city, at + 1);
      }
    });
    this.claimed = claimed;
    this.built = built;
    this.turningPoints = turningPoints(frames, film.steps);
  }

  /** The step that leads to a frame; null for the deal. */
  stepAt = (at: number): FilmStep | null => this.film.steps[at - 1] ?? null;
  eventsAt = (at: number): readonly GameEvent[] => this.stepAt(at)?.events ?? this.film.deal;
  turnAt = (at: number): number => this.stepAt(at)?.turn ?? 0;

  /** Return the last frame of a turn, or of the part of it that has this number from 1 on. Turn 0 is the deal, its parts the rest of the set-up. */
  frameOfTurn(turn: number, part: number | null = null): number {
    if (turn <= 0 && part === null) return 0;
    const within = this.#turns.get(turn);
    if (!within) return turn <= 0 ? 0 : this.last;
    return part === null ? within.last : Math.min(within.last, within.first + Math.max(part, 1) - 1);
  }

  /** Return the frame that a link calls by a turn, and perhaps a part of it. */
  frameNamed(name: string): number {
    const [turn = 0, part = null] = name.split('.').map(Number);
    return this.frameOfTurn(turn, part);
  }

  /** Return what a link calls a frame: its turn, and its part of the turn where that is not the last. */
  nameOf(at: number): string {
    const turn = this.turnAt(at);
    if (at === this.frameOfTurn(turn)) return String(turn);
    return `${turn}.${at - this.#turns.get(turn)!.first + 1}`;
  }

  /** Return the next frame of a kind in a direction; where there is none, the last or the first. */
  jump(at: number, kind: Jump, direction: 1 | -1): number {
    const wanted = (frame: number): boolean => {
      const step = this.stepAt(frame);
      if (step === null) return true;
      switch (kind) {
        case 'turn':
          return this.stepAt(frame + 1)?.turn !== step.turn;
        case 'own':
          return (
            (typeof this.film.eyes !== 'number' || step.seat === this.film.eyes) &&
            this.stepAt(frame + 1)?.turn !== step.turn
          );
        case 'claim':
          return step.events.some((event) => event.event === 'claim' || event.event === 'station');
        case 'key':
          return this.turningPoints.includes(frame);
      }
    };
    for (let frame = at + direction; frame > 0 && frame < this.last; frame += direction)
      if (wanted(frame)) return frame;
    return direction > 0 ? this.last : 0;
  }

  /** Return the frame in which the card that lies at a place of the display now is taken or flushed; null if that never happens. */
  leaves(at: number, place: number): number | null {
    for (let frame = at + 1; frame <= this.last; frame += 1) {
      const gone = this.eventsAt(frame).some(
        (event) => (event.event === 'take' && event.place === place) || event.event === 'flush',
      );
      if (gone) return frame;
    }
    return null;
  }

  /** Return the last frame until now in which a seat got a card of a colour; null if the viewer did not see one. */
  gained(at: number, seat: number, card: string): number | null {
    for (let frame = at; frame >= 0; frame -= 1) {
      const got = this.eventsAt(frame).some((event) => {
        if (event.event === 'deal') return event.player === seat && event.cards.includes(card);
        return (event.event === 'take' || event.event === 'draw') && event.player === seat && event.card === card;
      });
      if (got) return frame;
    }
    return null;
  }

  /** Return the frame of a seat's last decision before the end: what came since is "since my last turn". */
  sinceLastTurn(seat: number): number {
    const at = this.film.steps.findLastIndex((step) => step.seat === seat);
    return at < 0 ? 0 : at + 1;
  }
}

/** Return the frame after a step. */
export function next(before: Frame, step: FilmStep): Frame {
  const seats = before.public.seats.map((seat, at): SeatState => {
    const changed = step.seats[at];
    return changed ? { ...seat, ...(changed as Partial<SeatState>) } : seat;
  });
  const hands = before.hands.map((hand, at): OpenHand | null => {
    const changed = step.hands[at];
    if (changed === undefined) return hand;
    return changed === null ? null : ({ ...hand, ...changed } as OpenHand);
  });
  return { public: { ...before.public, ...(step.public as Partial<PublicState>), seats }, hands };
}

/** Return what a seat has scored so far: everything, where the viewer looks into its hand, else its points for routes. */
export function pointsOf(frame: Frame, seat: number): number {
  return frame.hands[seat]?.score.total ?? frame.public.seats[seat]?.points ?? 0;
}

function turningPoints(frames: readonly Frame[], steps: readonly FilmStep[]): number[] {
  const found: number[] = [];
  let leader = -1;
  frames.forEach((frame, at) => {
    const points = frame.public.seats.map((_, seat) => frame.public.seats[seat]!.points);
    const most = Math.max(...points);
    const first = points.filter((one) => one === most).length === 1 ? points.indexOf(most) : leader;
    const ends = steps[at - 1]?.events.some((event) => event.event === 'last_round');
    if (at > 0 && ((leader >= 0 && first !== leader) || ends)) found.push(at);
    leader = first;
  });
  return found;
}
