import type { Socket } from '../connection/connection.ts';
import type { Transport } from '../connection/transport.ts';
import { newId } from '../connection/tokens.ts';
import { loadPace } from '../lib/pace.ts';
import {
  channelName,
  tabLock,
  type Answered,
  type Beginning,
  type ServerState,
  type ToServer,
  type ToTab,
} from './messages.ts';

/** The close code of a server that is replaced by another one: see connection.ts. */
const RESTART = 1012;

/** Answers that are always the same: they lie on the host as files, and need no server. */
const ALWAYS = /^api\/(offerings|editions\/[\w-]+(?:\/picture)?|tutorials\/[\w-]+)$/;

type Asking = ToServer extends infer One ? (One extends ToServer ? Omit<One, 'tab'> : never) : never;

/**
 * The server of this page, in a worker. All tabs of the page use the same one: that of the tab that was there first.
 * When that tab is closed, another one starts its own, and for its connections that is a server that restarts.
 */
export class PageTransport implements Transport {
  readonly #root: string;
  readonly #tab = newId();
  readonly #channel: BroadcastChannel;
  readonly #answers = new Map<number, { answer: (answer: Answered) => void; fail: () => void }>();
  readonly #sockets = new Map<number, PageSocket>();
  readonly #onState: (state: ServerState) => void;
  /** The server that has been heard of last; until there is one, what is to be said to it waits. */
  #server: string | null = null;
  #waiting: Asking[] = [];
  #ready = false;
  #last = 0;

  constructor(root: string, onState: (state: ServerState) => void) {
    this.#root = root;
    this.#onState = onState;
    this.#channel = new BroadcastChannel(channelName(root));
    this.#channel.onmessage = ({ data }: MessageEvent<ToTab | ToServer>) => {
      if ('to' in data && (data.to === null || data.to === this.#tab)) this.#hear(data);
    };
    const forever = new Promise<never>(() => undefined);
    // The server notices by this lock that the tab is gone.
    void navigator.locks.request(tabLock(root, this.#tab), () => forever);
    void navigator.locks.request(`${channelName(root)} server`, async () => {
      await underServiceWorker();
      this.#startServer();
      return forever;
    });
    this.#post({ kind: 'arrived' });
  }

  async request(path: string, init: RequestInit): Promise<Response> {
    const file = this.#ready || (init.method ?? 'GET') !== 'GET' ? null : ALWAYS.exec(path);
    if (file) {
      const answer = await fetch(`${this.#root}answers/${file[1]!}.json`);
      if (answer.ok) return answer;
    }
    return this.#request(path, init);
  }

  open(): Socket {
    const number = (this.#last += 1);
    const socket = new PageSocket(
      (text) => this.#say({ kind: 'say', socket: number, text }),
      () => {
        this.#sockets.delete(number);
        this.#say({ kind: 'close', socket: number });
      },
    );
    this.#sockets.set(number, socket);
    this.#say({ kind: 'open', socket: number });
    // What is said to a server that is still loading waits for it.
    queueMicrotask(() => socket.onopen?.());
    return socket;
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    const number = (this.#last += 1);
    // The browser keeps what is played, even when it runs out of room elsewhere.
    if (init.method === 'POST') void navigator.storage?.persist?.();
    const body = new Uint8Array(await new Response(init.body ?? null).arrayBuffer());
    const asked = {
      method: init.method ?? 'GET',
      path: `/${path}`,
      headers: [...new Headers(init.headers).entries()],
      body,
    };
    const answered = await new Promise<Answered>((answer, fail) => {
      this.#answers.set(number, { answer, fail: () => fail(new TypeError('the server has gone')) });
      this.#say({ kind: 'request', number, asked });
    });
    const empty = answered.status === 204 || answered.status === 304;
    return new Response(empty ? null : answered.body, { status: answered.status, headers: answered.headers });
  }

  #startServer(tries = 3): void {
    const worker = new Worker(new URL('./server.worker.ts', import.meta.url), { type: 'module' });
    const server = newId();
    worker.onerror = (event) => {
      // Its memory was used up, say: the games are in the storage.
      console.error(event.message);
      worker.terminate();
      if (tries > 0) this.#startServer(tries - 1);
      else this.#onState({ ready: false, part: 0, kept: false, problem: 'unsupported' });
    };
    worker.postMessage({ root: this.#root, server, atOnce: loadPace() === 0 } satisfies Beginning);
  }

  #say(message: Asking): void {
    if (this.#server === null) this.#waiting.push(message);
    else this.#post(message);
  }

  #post(message: Asking): void {
    this.#channel.postMessage({ ...message, tab: this.#tab });
  }

  #hear(data: ToTab): void {
    if (data.server !== this.#server) this.#changeServer(data.server);
    switch (data.kind) {
      case 'state':
        if (data.ready && !this.#ready) navigator.serviceWorker?.controller?.postMessage('keep all');
        this.#ready = data.ready;
        this.#onState(data);
        break;
      case 'answer':
        this.#answers.get(data.number)?.answer(data.answer);
        this.#answers.delete(data.number);
        break;
      case 'said':
        this.#sockets.get(data.socket)?.onmessage?.({ data: data.text });
        break;
      case 'closed':
        this.#close(data.socket, data.code);
    }
  }

  /** A server is there that knows nothing of what was asked and opened before. */
  #changeServer(server: string): void {
    const before = this.#server;
    this.#server = server;
    this.#post({ kind: 'arrived' });
    if (before === null) {
      for (const message of this.#waiting.splice(0)) this.#post(message);
      return;
    }
    for (const { fail } of this.#answers.values()) fail();
    this.#answers.clear();
    for (const number of [...this.#sockets.keys()]) this.#close(number, RESTART);
  }

  #close(number: number, code: number): void {
    const socket = this.#sockets.get(number);
    this.#sockets.delete(number);
    socket?.onclose?.({ code });
  }
}

class PageSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly send: (text: string) => void;
  readonly close: () => void;

  constructor(send: (text: string) => void, close: () => void) {
    this.send = send;
    this.close = close;
  }
}

const UNTIL_CONTROLLED = 3_000;

/** Wait for the service worker, which keeps what is fetched; not where there is none. */
async function underServiceWorker(): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker || serviceWorker.controller) return;
  await new Promise<void>((done) => {
    serviceWorker.addEventListener('controllerchange', () => done(), { once: true });
    setTimeout(done, UNTIL_CONTROLLED);
  });
}
