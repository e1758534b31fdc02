import type { ServerState } from './messages.ts';

/** What is shown of a page that is its own server. */
class Page {
  server: ServerState = $state.raw({ ready: false, part: 0, kept: true, problem: null });
  /** Loads a newer version; null where there is none. */
  takeNewer: (() => void) | null = $state.raw(null);

  hear(state: ServerState): void {
    this.server = state;
  }
}

export const page = new Page();
