import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const own = here('../../../../../.venv/bin/python');
export const PYTHON = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');
/** A board of one's own with six cities, nine trains and a station: for games in which the edition is not the question. */
export const PORTUGAL = here('../../boards/portugal.json');
export const ENVIRONMENT = { ...process.env, PYTHONPATH: here('../../../../../src') };

/** A server of our own, with a store in a folder of its own. */
export class GameServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'ferrovia-'));
  address = '';
  /** Options of `serve.py`. */
  readonly options: string[];
  #child: ChildProcess | null = null;
  /** Of the server itself, where `PYTHON` only stands for it. */
  #pid = 0;

  /** Ticket packs are those in `folder`. */
  constructor(...options: string[]) {
    this.options = options;
  }

  /** Start it; the second time on the same store and at the same address. */
  async start(): Promise<this> {
    const port = this.address ? ['--port', new URL(this.address).port] : [];
    const child = spawn(
      PYTHON,
      [here('serve.py'), '--store', join(this.folder, 'games.sqlite'), ...port, ...this.options],
      {
        env: { ...ENVIRONMENT, FERROVIA_DATA: this.folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#child = child;
    let said = '';
    child.stderr.on('data', (data) => (said += data));
    this.address = await new Promise((found, failed) => {
      let out = '';
      child.stdout.on('data', (data) => {
        out += data;
        const ready = /READY (\S+) (\d+)/.exec(out);
        if (!ready) return;
        this.#pid = Number(ready[2]);
        found(ready[1]!);
      });
      child.on('exit', (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
    });
    return this;
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child) return Promise.resolve();
    return new Promise((done) => {
      child.removeAllListeners('exit');
      child.on('exit', () => done());
      process.kill(this.#pid, signal);
    });
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** `ferrovia replay`, started when it is first needed. */
export class Replayer {
  #child: ChildProcess | null = null;
  #waiting: ((said: string) => void)[] = [];

  replay(record: string): Promise<string> {
    const said = new Promise<string>((heard) => this.#waiting.push(heard));
    this.#started().stdin!.write(`${record}\n`);
    return said;
  }

  end(): void {
    this.#child?.stdin?.end();
    this.#child = null;
  }

  #started(): ChildProcess {
    if (this.#child) return this.#child;
    const child = spawn(PYTHON, [here('replay.py')], { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: child.stdout }).on('line', (line) => this.#waiting.shift()?.(JSON.parse(line) as string));
    child.on('exit', () => this.#waiting.splice(0).forEach((heard) => heard('')));
    return (this.#child = child);
  }
}
