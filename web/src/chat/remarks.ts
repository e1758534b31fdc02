/**
 * What bots say now and then, when something happens between them and a person. They speak of what everybody has seen, and of
 * nothing else: no hand, no ticket and no plan is looked at here.
 */
import type { Entry } from '../lib/log.ts';
import type { TableInfo } from '../protocol.gen.ts';
import { levelOf } from '../ui/names.ts';

/** What a remark is about: a bot's own long route or failed tunnel, a person's, the last round, and how it ended. */
export const OCCASIONS = ['long', 'their_long', 'stuck', 'they_stuck', 'last', 'won', 'lost'] as const;
export type Occasion = (typeof OCCASIONS)[number];

/** The levels that have a voice. */
export const VOICES = ['passenger', 'conductor', 'stoker', 'driver', 'director'] as const;
export type Voice = (typeof VOICES)[number];

export interface Remark {
  readonly seat: number;
  readonly voice: Voice;
  readonly occasion: Occasion;
}

const LONG = 5; // trains: a route that people talk about
const PAUSE = 10; // entries of the log between two remarks
const MOST = 5; // in a game, before its end

/** The remarks of a game, as it goes on. */
export class Remarks {
  #last = 0;
  #said = 0;

  /** Return what a bot says about the newest entries, if one does; `lengthOf` is that of a route. */
  about(news: readonly Entry[], seats: TableInfo['seats'], lengthOf: (route: string) => number): Remark | null {
    for (const entry of news) {
      if (entry.entry !== 'decided' || entry.number < this.#last + PAUSE || this.#said >= MOST) continue;
      const remark = this.#remark(entry, seats, lengthOf);
      if (!remark) continue;
      this.#last = entry.number;
      this.#said += 1;
      return remark;
    }
    return null;
  }

  /** Return what a bot says when the game is over: the winner, or else one of those who lost. */
  atTheEnd(winners: readonly number[], seats: TableInfo['seats']): Remark | null {
    if (!seats.some((seat) => seat.kind === 'person')) return null;
    const won = winners.find((seat) => voiceOf(seats, seat));
    const seat = won ?? seats.findIndex((_, at) => voiceOf(seats, at));
    const voice = voiceOf(seats, seat);
    return voice && { seat, voice, occasion: won === undefined ? 'lost' : 'won' };
  }

  #remark(
    entry: Extract<Entry, { entry: 'decided' }>,
    seats: TableInfo['seats'],
    lengthOf: (route: string) => number,
  ): Remark | null {
    const own = voiceOf(seats, entry.seat);
    const others = seats.flatMap((_, at) => (at !== entry.seat && voiceOf(seats, at) ? [at] : []));
    const people = seats.some((seat, at) => seat.kind === 'person' && at !== entry.seat);
    for (const event of entry.events) {
      const [mine, theirs] = OCCASION_OF[event.event] ?? [];
      if (!mine || (event.event === 'claim' && lengthOf(event.route) < LONG)) continue;
      if (own && people) return { seat: entry.seat, voice: own, occasion: mine };
      const speaker = others[entry.number % Math.max(1, others.length)];
      const voice = speaker === undefined ? null : voiceOf(seats, speaker);
      if (seats[entry.seat]?.kind === 'person' && speaker !== undefined && voice && theirs)
        return { seat: speaker, voice, occasion: theirs };
    }
    return null;
  }
}

const OCCASION_OF: Readonly<Record<string, readonly [Occasion, Occasion]>> = {
  claim: ['long', 'their_long'],
  withdraw: ['stuck', 'they_stuck'],
  last_round: ['last', 'last'],
};

function voiceOf(seats: TableInfo['seats'], seat: number): Voice | null {
  const sitting = seats[seat];
  return (sitting?.kind === 'bot' && VOICES.find((voice) => voice === levelOf(sitting.bot))) || null;
}
