import { setBoard, t } from '../i18n/index.svelte.ts';
import { Edition } from '../lib/edition.ts';
import { errorCode, type FilmQuery } from '../connection/http.ts';
import { logLines, type Entry, type LogLine, type Names } from '../lib/log.ts';
import type { FaceOf } from '../ui/faces.ts';
import { portraitOf, seatNames, sittingOf } from '../ui/names.ts';
import type { Picture } from '../board/picture.ts';
import type { Frame, Screening } from '../protocol.gen.ts';
import { Reel, type Eyes, type Jump } from './reel.ts';

/** Milliseconds for a step at normal speed. */
const STEP = 1_100;
export const SPEEDS = [0.5, 1, 2, 4] as const;
/** The panels beside a film. */
export const FILM_TABS = ['log', 'players', 'chart', 'analysis'] as const;
export type FilmTab = (typeof FILM_TABS)[number];
/** Turns that a film without spoilers loads at a time. */
const AHEAD = 3;

/** A line of the log with the frame that it leads to; `aside`: it happened beside the game. */
export type FilmLine = LogLine & { readonly frame: number; readonly aside?: 'said' | 'gone' | 'undone' };

/** Where films come from: a table, or a record from a file. */
export interface Projector {
  readonly table: string | null;
  /** The game that a record from a file is, where it was brought to this device: its film has an address. */
  readonly game?: string | null;
  /** Whether the game goes on: then it is the player's own past. */
  load(query: FilmQuery): Promise<Screening>;
  edition(id: string, extras: readonly string[]): Promise<Edition>;
  picture(edition: string): Promise<Picture>;
  /** Which edition it seems to be, before the film is there; null: unknown. Nothing depends on it being right. */
  expected?(): Promise<Expected | null>;
}

export interface Expected {
  readonly edition: string;
  readonly extras: readonly string[];
}

/** A film that somebody watches: which moment is shown, from whose eyes, and whether it runs. */
export class FilmSession {
  readonly projector: Projector;
  reel = $state.raw<Reel>(null!);
  edition = $state.raw<Edition>(null!);
  picture = $state.raw<Picture>(null!);
  /** The number of the frame that is shown. */
  at = $state(0);
  playing = $state(false);
  speed = $state<number>(1);
  jumps = $state<Jump>('turn');
  /** Names are shown; else players are called by their colours. */
  names = $state(true);
  /** The ticket or the route that is looked at. */
  looked = $state<string | null>(null);
  /** What the finale shows on the map. */
  path = $state.raw<readonly string[]>([]);
  marks = $state.raw<Readonly<Record<string, readonly { readonly letter: string; readonly state: 'done' | 'open' }[]>>>(
    {},
  );
  /** Another view is being loaded. */
  loading = $state(false);
  /** Why the last thing that was asked for did not come. */
  problem = $state<string | null>(null);
  /** Everything after `last` is unknown, and is loaded a little at a time. */
  spoilerFree = $state(false);
  /** Chat and moves that were taken back are in the log too. */
  interludes = $state(false);

  readonly frame: Frame = $derived.by(() => this.reel.frames[Math.min(this.at, this.reel.last)]!);
  readonly last = $derived.by(() => this.reel.last);
  readonly turn = $derived.by(() => this.reel.turnAt(this.at));
  readonly eyes: Eyes = $derived.by(() => this.reel.film.eyes);
  readonly over = $derived.by(() => this.at === this.reel.last && this.reel.film.over);
  readonly owners = $derived.by(() => byItem(this.frame, 'routes'));
  readonly stations = $derived.by(() => byItem(this.frame, 'stations'));
  /** Routes that fell in this turn. */
  readonly fresh: ReadonlySet<string> = $derived.by(() => {
    const found = new Set<string>();
    for (let at = this.at; at > 0 && this.reel.turnAt(at) === this.turn; at -= 1) {
      for (const event of this.reel.eventsAt(at)) if (event.event === 'claim') found.add(event.route);
    }
    return found;
  });
  /** The route that was claimed just now. */
  readonly claimed: string | null = $derived.by(() => {
    const claim = this.reel.eventsAt(this.at).find((event) => event.event === 'claim');
    return claim?.event === 'claim' ? claim.route : null;
  });
  readonly logNames: Names = $derived.by(() => ({ edition: this.edition, seatName: this.playerName }));
  /** The lines of the log with the frame that each of them leads to. */
  readonly log: readonly FilmLine[] = $derived.by(() => {
    const { film, interludes } = this.reel;
    const deal = {
      entry: 'started',
      number: 0,
      at: 0,
      first: film.first.public.first,
      commitment: '',
      events: film.deal,
    } as unknown as Entry;
    const steps = film.steps.map(
      (step, at) =>
        ({
          entry: 'decided',
          number: at + 1,
          at: 0,
          seat: step.seat ?? 0,
          bot: '',
          clock: false,
          counting: [],
          events: step.events,
        }) as unknown as Entry,
    );
    const lines: FilmLine[] = [deal, ...steps].flatMap((entry) =>
      logLines(entry, this.logNames).map((line) => ({ ...line, frame: entry.number })),
    );
    if (!interludes.length) return lines;
    const aside = interludes.flatMap(({ frame, entry }) =>
      this.#asideLines(entry as Entry).map((line) => ({ ...line, frame })),
    );
    // Sorting is stable: what happened beside a step follows it.
    return [...lines, ...aside].sort((a, b) => a.frame - b.frame);
  });
  /** What has just happened, in words. */
  readonly caption = $derived.by(() =>
    this.log
      .filter((line) => line.frame === this.at && !line.aside)
      .map((line) => t(line.key, line.params))
      .join(' '),
  );

  readonly #films = new Map<Eyes, Reel>();
  #portraits: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last turn that is asked for. */
  #until: string | null = null;

  constructor(projector: Projector) {
    this.projector = projector;
  }

  /** Load the film; without spoilers up to the turn only: the rest does not leave the server. */
  async open(eyes: Eyes | null, turn: string | null, spoilerFree: boolean): Promise<void> {
    this.spoilerFree = spoilerFree;
    this.#until = spoilerFree ? (turn ?? '0') : null;
    const early = this.#early();
    const { film, edition, picture, interludes, colors, portraits } = await this.#load(eyes);
    this.#portraits = portraits ?? [];
    const known = edition ? null : await early;
    const same = known && known.edition === film.edition && known.extras.join() === film.extras.join();
    const [found, drawn] = same
      ? await Promise.all([known.found, known.drawn])
      : await Promise.all([
          edition ? new Edition(edition) : this.projector.edition(film.edition, film.extras),
          picture ? (picture as Picture) : this.projector.picture(film.edition),
        ]);
    this.edition = colors?.length ? new Edition(found.document, colors) : found;
    this.picture = drawn;
    setBoard(found.document.board);
    this.reel = new Reel(film, interludes);
    this.#films.set(film.eyes, this.reel);
    this.at = turn === null ? 0 : this.reel.frameNamed(turn);
  }

  #load(eyes: Eyes | null): Promise<Screening> {
    return this.projector.load({
      view: eyes === null ? null : String(eyes),
      until: this.#until,
      interludes: this.interludes,
    });
  }

  /** Ask for the board while the server still proves the game. */
  async #early(): Promise<(Expected & { found: Promise<Edition>; drawn: Promise<Picture> }) | null> {
    const expected = await this.projector.expected?.().catch(() => null);
    if (!expected) return null;
    const [found, drawn] = [
      this.projector.edition(expected.edition, expected.extras),
      this.projector.picture(expected.edition),
    ];
    // Where the film turns out to be another one, nobody waits for these.
    for (const asked of [found, drawn]) asked.catch(() => undefined);
    return { ...expected, found, drawn };
  }

  /** The lines of what happened beside the game. */
  #asideLines(entry: Entry): FilmLine[] {
    if (entry.entry === 'said') {
      const who = entry.seat === null ? entry.name : this.playerName(entry.seat);
      const key = entry.text === null ? 'replay.withheld' : 'replay.said';
      return [
        {
          key,
          params: { name: who, text: entry.text ?? '' },
          seat: entry.seat,
          cards: [],
          number: entry.number,
          at: entry.at,
          frame: 0,
          aside: 'said',
        },
      ];
    }
    const aside = entry.entry === 'decided' ? 'gone' : 'undone';
    return logLines(entry, this.logNames).map((line) => ({ ...line, frame: 0, aside }));
  }

  /** Show chat and moves that were taken back, or leave them out again. */
  showInterludes = async (on: boolean): Promise<void> => {
    this.interludes = on;
    this.#films.clear();
    await this.see(this.eyes);
    if (this.problem) this.interludes = !on;
  };

  playerName = (seat: number): string => {
    if (!this.names) return t('replay.player', { number: seat + 1 });
    return seatNames(sittingOf(this.reel.film.players))[seat] ?? '';
  };

  /** The face of a player: the bots' own, and what people have chosen. */
  faceOf: FaceOf = (seat) => {
    const sitting = sittingOf(this.reel.film.players)[seat];
    const portrait = sitting && this.names ? portraitOf({ ...sitting, portrait: this.#portraits[seat] ?? '' }) : '';
    return { portrait, name: this.playerName(seat) };
  };

  /** Show a frame. */
  show = (at: number): void => {
    this.at = Math.max(0, Math.min(at, this.reel.last));
  };

  /** Go a step on or back; at the end of what is loaded without spoilers, load more. */
  step = async (by: 1 | -1): Promise<void> => {
    if (by > 0 && this.at >= this.reel.last) await this.more();
    this.show(this.at + by);
  };

  jump = async (direction: 1 | -1, kind: Jump = this.jumps): Promise<void> => {
    if (direction > 0 && this.at >= this.reel.last) await this.more();
    this.show(this.reel.jump(this.at, kind, direction));
  };

  /** Jump to the turn in which a route was claimed. */
  showRoute = (route: string): boolean => {
    const at = this.reel.claimed.get(route);
    if (at !== undefined) this.show(at);
    return at !== undefined;
  };

  showStation = (city: string): boolean => {
    const at = this.reel.built.get(city);
    if (at !== undefined) this.show(at);
    return at !== undefined;
  };

  /** Jump to where the card at a place of the display is taken, or where a seat got a card of its hand. */
  showLeaving = (place: number): void => this.show(this.reel.leaves(this.at, place) ?? this.at);
  showGained = (seat: number, card: string): void => this.show(this.reel.gained(this.at, seat, card) ?? this.at);

  /** Load a little more of a film without spoilers, or all of it. */
  more = async (all = false): Promise<void> => {
    if (this.reel.film.whole || this.loading) return;
    this.loading = true;
    this.problem = null;
    try {
      const until = this.#until;
      this.#until = all ? null : String(this.reel.turnAt(this.reel.last) + AHEAD);
      const { film, interludes } = await this.#load(this.eyes).catch((error: unknown) => {
        this.#until = until;
        throw error;
      });
      if (all) this.spoilerFree = false;
      this.#films.clear();
      this.reel = new Reel(film, interludes);
      this.#films.set(this.eyes, this.reel);
    } catch (error) {
      this.problem = errorCode(error);
    } finally {
      this.loading = false;
    }
  };

  /** Watch from other eyes. */
  see = async (eyes: Eyes): Promise<void> => {
    this.problem = null;
    const known = this.#films.get(eyes);
    if (known) {
      this.reel = known;
      return;
    }
    this.loading = true;
    try {
      const { film, interludes } = await this.#load(eyes);
      const reel = new Reel(film, interludes);
      this.#films.set(eyes, reel);
      this.reel = reel;
    } catch (error) {
      this.problem = errorCode(error);
    } finally {
      this.loading = false;
    }
  };

  play = (): void => {
    if (this.playing) return this.pause();
    if (this.at >= this.reel.last && this.reel.film.whole) this.show(0);
    this.playing = true;
    this.#tick();
  };

  pause = (): void => {
    this.playing = false;
    clearTimeout(this.#timer);
  };

  #tick(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.step(1).then(() => {
        if (!this.playing) return;
        if (this.at >= this.reel.last && this.reel.film.whole) this.pause();
        else this.#tick();
      });
    }, STEP / this.speed);
  }
}

function byItem(frame: Frame, field: 'routes' | 'stations'): Record<string, number> {
  const found: Record<string, number> = {};
  frame.public.seats.forEach((seat, number) => {
    for (const item of seat[field]) found[item] = number;
  });
  return found;
}
