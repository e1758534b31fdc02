import type { Socket } from './connection.ts';

/** How requests and sockets reach the server, wherever it runs. */
export interface Transport {
  /** Send a request to a path below the root, as `api/offerings`. */
  request(path: string, init: RequestInit): Promise<Response>;
  /** Open the socket of a table. */
  open(): Socket;
}

/** A server in the network, below the root of this page. */
export function network(root: string): Transport {
  return {
    request: (path, init) => fetch(root + path, init),
    open: () => new WebSocket(`${root.replace(/^http/, 'ws')}socket`) as unknown as Socket,
  };
}
