import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../build/page');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** A host of plain files, as anybody has one: it knows no header but the type, and packs nothing. */
export class PlainHost {
  readonly #server: Server;
  readonly #path: string;
  /** Files that are others than those of the build, by their path; null: not there. */
  readonly changed = new Map<string, string | null>();

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.#path = path;
  }

  static async start(path = '/some/where/'): Promise<PlainHost> {
    if (!existsSync(join(FOLDER, 'service-worker.js'))) throw new Error('there is no page to test: make page');
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://host');
      const name = decodeURIComponent(pathname).slice(path.length) || 'index.html';
      const file = join(FOLDER, name);
      const changed = host.changed.get(name);
      const there = changed === undefined ? existsSync(file) && statSync(file).isFile() : changed !== null;
      if (!pathname.startsWith(path) || !there) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' });
      response.end(changed ?? readFileSync(file));
    });
    const host = new PlainHost(server, path);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return host;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`;
  }

  read(name: string): string {
    return readFileSync(join(FOLDER, name), 'utf8');
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
