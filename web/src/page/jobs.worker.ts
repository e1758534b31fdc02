import { loadPython, SITE } from './python.ts';

/** A worker beside the server of a page: bots decide here, or an analysis is made. See server/page/jobs.py. */

export interface Order {
  readonly number: number;
  readonly job: string;
  readonly body: Uint8Array;
}
export type Word = { readonly number: number } & (
  { readonly news: Uint8Array } | { readonly answer: Uint8Array } | { readonly problem: string }
);

interface Jobs {
  do(job: string, body: Uint8Array, say: (news: Uint8Array) => void): { toJs(): Uint8Array; destroy(): void };
}

let root = '';
let started: Promise<Jobs>;

async function start(): Promise<Jobs> {
  const python = await loadPython(root, () => undefined);
  return python.runPython(`
import sys
sys.path.insert(0, ${JSON.stringify(SITE)})
from pyodide.ffi import to_js
from types import SimpleNamespace
from ferrovia.server.page import jobs
SimpleNamespace(
    do=lambda job, body, say: to_js(jobs.do(job, body.to_bytes(), lambda news: say(to_js(news)))),
)
`) as unknown as Jobs;
}

addEventListener('message', ({ data }: MessageEvent<Order | { readonly root: string }>) => {
  if ('root' in data) {
    root = data.root;
    started = start();
    return;
  }
  const { number, job, body } = data;
  void work(number, job, body).catch((problem) => say({ number, problem: String(problem) }));
});

async function work(number: number, job: string, body: Uint8Array): Promise<void> {
  const jobs = await started;
  say({ number, answer: jobs.do(job, body, (news) => say({ number, news })) as unknown as Uint8Array });
}

const say = (word: Word): void => postMessage(word);
