/** What the tabs of a page and the worker with its server say to each other, over one channel. */

/** A tab says it to the server. */
export type ToServer = { readonly tab: string } & (
  | { readonly kind: 'arrived' }
  | { readonly kind: 'request'; readonly number: number; readonly asked: Asked }
  | { readonly kind: 'open' | 'close'; readonly socket: number }
  | { readonly kind: 'say'; readonly socket: number; readonly text: string }
);

/** The server says it to a tab, or to all of them (null). */
export type ToTab = { readonly to: string | null; readonly server: string } & (
  | ({ readonly kind: 'state' } & ServerState)
  | { readonly kind: 'answer'; readonly number: number; readonly answer: Answered }
  | { readonly kind: 'closed'; readonly socket: number; readonly code: number }
  | { readonly kind: 'said'; readonly socket: number; readonly text: string }
);

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: [string, string][];
  readonly body: Uint8Array;
}

export interface Answered {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Uint8Array<ArrayBuffer>;
}

/** How far the server is; once it is ready, whether the browser keeps its games. */
export interface ServerState {
  readonly ready: boolean;
  /** The part that has been loaded, from 0 to 1. */
  readonly part: number;
  readonly kept: boolean;
  /** Why there is no server. */
  readonly problem: string | null;
}

/** What the first tab gives the worker of the server. */
export interface Beginning {
  readonly root: string;
  readonly server: string;
  /** Whether moves of others are wanted at once. */
  readonly atOnce: boolean;
}

/** The names of a page's channel and locks: several pages may lie on one host. */
export const channelName = (root: string): string => `ferrovia ${new URL(root).pathname}`;
export const tabLock = (root: string, tab: string): string => `${channelName(root)} tab ${tab}`;
