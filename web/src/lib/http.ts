import type {
  CreateTable,
  Joined,
  JoinTable,
  Offerings,
  Problem,
  TableCreated,
  TableInfo,
  TableList,
} from '../protocol.gen.ts';
import type { Picture } from '../board/picture.ts';
import type { EditionDocument } from './edition.ts';

/** A request that the server refused (`code` is one of its codes) or that did not reach it. */
export class Trouble extends Error {
  readonly code: Problem['code'] | 'unreachable';

  constructor(code: Problem['code'] | 'unreachable') {
    super(code);
    this.code = code;
  }
}

const OURS = new Set(['europe', 'usa']);

/** The server over HTTP. */
export class Server {
  readonly #root: string;
  readonly #fetch: typeof fetch;

  constructor(root: string, fetcher: typeof fetch = (...asked) => fetch(...asked)) {
    this.#root = root;
    this.#fetch = fetcher;
  }

  offerings = () => this.#ask<Offerings>('api/offerings');
  tables = () => this.#ask<TableList>('api/tables');
  table = (id: string) => this.#ask<TableInfo>(`api/tables/${id}`);

  edition(id: string, extras: readonly string[]): Promise<EditionDocument> {
    const query = extras.length ? `?extras=${extras.map(encodeURIComponent).join(',')}` : '';
    return this.#ask(`api/editions/${encodeURIComponent(id)}${query}`);
  }

  /** The picture of a board: ours lie beside the page, those of others the server draws. */
  async picture(board: string, edition: string): Promise<Picture> {
    if (OURS.has(board)) return this.#ask(`boards/${board}.json`);
    return this.#ask(`api/editions/${encodeURIComponent(edition)}/picture`);
  }

  create = (wish: CreateTable, token: string) =>
    this.#ask<TableCreated>('api/tables', { body: wish, token });

  join = (id: string, wish: JoinTable, token: string) =>
    this.#ask<Joined>(`api/tables/${id}/join`, { body: wish, token });

  async record(id: string, token: string | null): Promise<Blob> {
    return (await this.#answer(`api/tables/${id}/record`, token ? { token } : {})).blob();
  }

  async #ask<T>(path: string, sent: { body?: unknown; token?: string } = {}): Promise<T> {
    return (await (await this.#answer(path, sent)).json()) as T;
  }

  async #answer(path: string, sent: { body?: unknown; token?: string }): Promise<Response> {
    const headers: Record<string, string> = {};
    if (sent.token) headers.authorization = `Bearer ${sent.token}`;
    const init: RequestInit = { headers };
    if (sent.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.method = 'POST';
      init.body = JSON.stringify(sent.body);
    }
    let response: Response;
    try {
      response = await this.#fetch(this.#root + path, init);
    } catch {
      throw new Trouble('unreachable');
    }
    if (!response.ok) {
      const problem = (await response.json().catch(() => null)) as Problem | null;
      throw new Trouble(problem?.code ?? 'unreachable');
    }
    return response;
  }
}
