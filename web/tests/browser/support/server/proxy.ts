import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A wire between a browser and a server, which can be cut. */
export class Wire {
  readonly #target: { host: string; port: number };
  readonly #ends = new Set<Socket>();
  readonly #server: Server;
  #whole = true;

  constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#target = { host: hostname, port: Number(port) };
    this.#server = createServer((near) => this.#join(near));
  }

  async lay(): Promise<string> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Break every connection; new ones are broken as well. */
  cut(): void {
    this.#whole = false;
    for (const end of this.#ends) end.destroy();
  }

  mend(): void {
    this.#whole = true;
  }

  async end(): Promise<void> {
    this.cut();
    await new Promise((done) => this.#server.close(done));
  }

  #join(near: Socket): void {
    if (!this.#whole) return void near.destroy();
    const far = connect(this.#target);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#ends.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
