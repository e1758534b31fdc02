import { Connection } from '../connection/connection.ts';
import type { Server } from '../connection/http.ts';
import { newId } from '../connection/tokens.ts';
import type { FilmShown, FromServer } from '../protocol.gen.ts';
import type { FilmSession } from './film_session.svelte.ts';
import type { Eyes } from './reel.ts';

const PAUSE = 150; // milliseconds between two messages of who leads

/** Watching a film together: somebody leads, the others follow, break free, and come back. It has effects. */
export class Together {
  /** What the leader shows; null where nobody leads. */
  shown = $state.raw<FilmShown | null>(null);
  leading = $state(false);
  following = $state(false);
  /** How many others look on. */
  others = $state(0);
  /** The seat that this browser holds; who holds none leads only where nobody played. */
  seat = $state<number | null>(null);
  /** The route or the city that this viewer points at. */
  pointing = $state<string | null>(null);
  /** The route or the city that the leader points at. */
  readonly pointer = $derived(this.following ? (this.shown?.pointer ?? null) : null);

  readonly #session: FilmSession;
  readonly #connection: Connection;
  #applied = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: FilmSession, server: Server, token: string | null) {
    this.#session = session;
    let known = 0;
    this.#connection = new Connection({
      open: server.open,
      table: session.projector.table!,
      token,
      known: () => known,
      newId,
      onMessage: (message) => {
        if (message.type === 'state') known = message.number;
        this.#receive(message);
      },
      onLink: (link) => {
        if (link !== 'open') this.shown = null;
        else if (this.leading) this.#say();
      },
    });
    $effect(() => {
      this.#connection.start();
      return () => {
        clearTimeout(this.#timer);
        this.#connection.stop();
      };
    });
    $effect(() => {
      void [session.at, session.eyes, this.pointing];
      if (this.leading) this.#later();
    });
    // Whoever goes elsewhere by themselves has broken free.
    $effect(() => {
      if (this.following && session.at !== this.#applied) this.following = false;
    });
  }

  lead = (): void => {
    this.leading = true;
    this.following = false;
    this.#say();
  };

  stop = (): void => {
    this.leading = false;
    this.#connection.showFilm({ lead: false });
  };

  /** Come back to where the leader is. */
  follow = (): void => {
    this.following = this.shown !== null;
    this.#apply();
  };

  leave = (): void => {
    this.following = false;
  };

  #receive(message: FromServer): void {
    if (message.type === 'presence') this.others = message.seats.filter(Boolean).length + message.spectators - 1;
    else if (message.type === 'state') this.seat = message.own?.seat ?? null;
    else if (message.type === 'film') {
      const began = this.shown === null;
      this.shown = message.leader === null ? null : message;
      if (this.shown) this.leading = false; // somebody else has taken the lead
      if (this.shown && began) this.following = true;
      if (!this.shown) this.following = false;
      this.#apply();
    }
  }

  #apply(): void {
    const { shown } = this;
    if (!this.following || !shown) return;
    const session = this.#session;
    session.pause();
    const { at = '0', eyes: seen = 'all' } = shown;
    const eyes: Eyes = /^[0-5]$/.test(seen) ? Number(seen) : seen === 'public' ? 'public' : 'all';
    const show = () => {
      this.#applied = Math.min(session.reel.frameNamed(at), session.reel.last);
      session.show(this.#applied);
    };
    show();
    if (eyes !== session.eyes) void session.see(eyes).then(show);
  }

  #later(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.leading) this.#say();
    }, PAUSE);
  }

  #say(): void {
    const { reel, at, eyes } = this.#session;
    this.#connection.showFilm({ at: reel.nameOf(at), eyes: String(eyes), pointer: this.pointing, lead: true });
  }
}
