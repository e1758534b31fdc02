// Chromium and a server of our own, for the tests that play whole games.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--no-first-run',
    ],
  });
}

/** A server with a store in a folder of its own; `again` starts it anew on the same store. */
export async function openServer(kept = {}) {
  const own = here('../../../.venv/bin/python');
  const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');
  const folder = kept.folder ?? mkdtempSync(join(tmpdir(), 'ferrovia-'));
  const store = join(folder, 'games.sqlite');
  const asked = kept.port ? [store, String(kept.port)] : [store];
  const child = spawn(python, [here('serve.py'), ...asked], {
    env: { ...process.env, PYTHONPATH: here('../../../src'), ...kept.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((found, failed) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      const ready = /READY (\S+)/.exec(said);
      if (ready) found(ready[1]);
    });
    child.on('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  });
  const stop = () =>
    new Promise((done) => {
      child.removeAllListeners('exit');
      child.on('exit', done);
      child.kill('SIGTERM');
    });
  return {
    address,
    stop,
    end: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
    again: async () => {
      await stop();
      return openServer({ folder, port: Number(new URL(address).port) });
    },
  };
}
