import type { Word } from './jobs.worker.ts';

/** The workers beside the server of a page: one for each kind of job, started when it is first needed. */
export class Workers {
  readonly #root: string;
  readonly #running = new Map<string, Worker>();
  /** What is asked of a worker waits until it has done what was asked before. */
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #idle = new Map<string, ReturnType<typeof setTimeout>>();
  #last = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Have a worker started that will be needed soon. */
  prepare(job: string): void {
    this.#worker(job);
  }

  /** Have a job done; `heard` is called with news. A worker that takes too long is ended: TimeoutError. */
  ask(job: string, body: Uint8Array, milliseconds: number, heard: (news: Uint8Array) => void): Promise<Uint8Array> {
    const before = this.#queues.get(job) ?? Promise.resolve();
    const done = before.then(() => this.#do(job, body, milliseconds, heard));
    this.#queues.set(
      job,
      done.catch(() => undefined),
    );
    return done;
  }

  #do(job: string, body: Uint8Array, milliseconds: number, heard: (news: Uint8Array) => void): Promise<Uint8Array> {
    clearTimeout(this.#idle.get(job));
    const known = this.#running.has(job);
    const worker = this.#worker(job);
    const number = (this.#last += 1);
    return new Promise((answer, fail) => {
      const end = (name: string) => {
        this.#end(job);
        settle(() => fail(Object.assign(new Error(name), { name })));
      };
      // A worker that has yet to load Python may take longer.
      const timer = setTimeout(() => end('TimeoutError'), milliseconds + (known ? 0 : STARTED_WITHIN));
      const listen = ({ data }: MessageEvent<Word>) => {
        if (data.number !== number) return;
        if ('news' in data) heard(data.news);
        else if ('answer' in data) settle(() => answer(data.answer));
        else settle(() => fail(new Error(data.problem)));
      };
      const broken = () => end('OSError');
      const settle = (act: () => void) => {
        clearTimeout(timer);
        worker.removeEventListener('message', listen);
        worker.removeEventListener('error', broken);
        if (!LASTING.has(job))
          this.#idle.set(
            job,
            setTimeout(() => this.#end(job), IDLE),
          );
        act();
      };
      worker.addEventListener('message', listen);
      worker.addEventListener('error', broken);
      worker.postMessage({ number, job, body });
    });
  }

  #end(job: string): void {
    this.#running.get(job)?.terminate();
    this.#running.delete(job);
  }

  #worker(job: string): Worker {
    let worker = this.#running.get(job);
    if (!worker) {
      worker = new Worker(new URL('./jobs.worker.ts', import.meta.url), { type: 'module' });
      worker.postMessage({ root: this.#root });
      this.#running.set(job, worker);
    }
    return worker;
  }
}

const STARTED_WITHIN = 60_000;
/** Bots are asked again and again; what does any other job is ended when nothing more comes, and its memory is free. */
const LASTING = new Set(['decide']);
const IDLE = 30_000;
