import { openStorage } from './storage.ts';
import { loadPython, SITE } from './python.ts';
import { channelName, tabLock, type Beginning, type ServerState, type ToServer, type ToTab } from './messages.ts';
import { Workers } from './workers.ts';

/**
 * The server of a page, in a worker of one of its tabs: it answers all of them. What it does is written in Python
 * (server/page/main.py); here it is given the browser's storage, other workers, and the channel to the tabs.
 */

interface PageServer {
  start(): Promise<void>;
  request(
    method: string,
    path: string,
    headers: unknown,
    body: Uint8Array,
  ): Promise<[number, [string, string][], Uint8Array<ArrayBuffer>]>;
  open(number: number): void;
  say(number: number, text: string): void;
  close(number: number): void;
}

type Said = ToTab extends infer One ? (One extends ToTab ? Omit<One, 'server'> : never) : never;

const { root, server, atOnce } = await new Promise<Beginning>((begin) => {
  addEventListener('message', ({ data }: MessageEvent<Beginning>) => begin(data), { once: true });
});
const channel = new BroadcastChannel(channelName(root));
const say = (message: Said): void => channel.postMessage({ ...message, server });

let state: ServerState = { ready: false, part: 0, kept: true, problem: null };
function tell(change: Partial<ServerState>): void {
  state = { ...state, ...change };
  say({ to: null, kind: 'state', ...state });
}

/** The sockets of all tabs have numbers of their own for the server. */
const sockets = new Map<number, { tab: string; socket: number }>();
let lastSocket = 0;
const numberOf = (tab: string, socket: number): number | null => {
  for (const [number, one] of sockets) if (one.tab === tab && one.socket === socket) return number;
  return null;
};
const tabs = new Set<string>();

const started = start();
started.catch((problem: unknown) => {
  console.error(problem);
  tell({ problem: (problem as Error).name || 'unknown' });
});

channel.onmessage = ({ data }: MessageEvent<ToServer | ToTab>) => {
  if (!('tab' in data)) return;
  arrive(data.tab);
  if (data.kind === 'arrived') say({ to: data.tab, kind: 'state', ...state });
  else void started.then((page) => hear(page, data)).catch(() => undefined);
};

/** Notice when a tab is gone, however it went. */
function arrive(tab: string): void {
  if (tabs.has(tab)) return;
  tabs.add(tab);
  void navigator.locks.request(tabLock(root, tab), async () => {
    tabs.delete(tab);
    const page = await started;
    for (const [number, one] of sockets) {
      if (one.tab !== tab) continue;
      sockets.delete(number);
      page.close(number);
    }
  });
}

async function hear(page: PageServer, data: ToServer): Promise<void> {
  const { tab } = data;
  switch (data.kind) {
    case 'request': {
      const { method, path, headers, body } = data.asked;
      const [status, sent, content] = await page.request(method, path, headers, body);
      say({ to: tab, kind: 'answer', number: data.number, answer: { status, headers: sent, body: content } });
      break;
    }
    case 'open':
      lastSocket += 1;
      sockets.set(lastSocket, { tab, socket: data.socket });
      page.open(lastSocket);
      break;
    case 'say':
    case 'close': {
      const number = numberOf(tab, data.socket);
      if (number === null) break;
      if (data.kind === 'say') page.say(number, data.text);
      else {
        sockets.delete(number);
        page.close(number);
      }
    }
  }
}

async function start(): Promise<PageServer> {
  const opened = openStorage(root);
  const workers = new Workers(root);
  const python = await loadPython(root, (part) => tell({ part }));
  const storage = await opened;
  const to = (number: number, act: (one: { tab: string; socket: number }) => void): void => {
    const one = sockets.get(number);
    if (one) act(one);
  };
  const made = python.runPython(`
import sys
sys.path.insert(0, ${JSON.stringify(SITE)})
from ferrovia.server.page.main import PageServer
lambda *given: PageServer(*given, at_once=${atOnce ? 'True' : 'False'})`) as (...given: unknown[]) => PageServer;
  const page = made(
    storage,
    workers,
    (number: number, text: string) => to(number, ({ tab, socket }) => say({ to: tab, kind: 'said', socket, text })),
    (number: number, code: number) =>
      to(number, ({ tab, socket }) => {
        sockets.delete(number);
        say({ to: tab, kind: 'closed', socket, code });
      }),
  );
  await page.start();
  tell({ ready: true, part: 1, kept: storage.kept });
  workers.prepare('decide');
  return page;
}
