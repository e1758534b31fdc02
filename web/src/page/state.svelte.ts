import type { ServerState } from './messages.ts';

/** How far the server of this page is, for what is shown of it. */
class Page {
  server: ServerState = $state.raw({ ready: false, part: 0, kept: true, problem: null });

  hear(state: ServerState): void {
    this.server = state;
  }
}

export const page = new Page();
