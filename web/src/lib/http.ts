import type {
  CreateTable,
  EditionDocument,
  EntryWord,
  FoundRoom,
  Joined,
  JoinTable,
  Offerings,
  Problem,
  Reach,
  TableCreated,
  TableInfo,
  TableList,
} from '../protocol.gen.ts';
import type { Picture } from '../board/picture.ts';

/** A request that the server refused, with its code, or that did not reach the server. */
export class RequestError extends Error {
  readonly code: Problem['code'] | 'unreachable';

  constructor(code: Problem['code'] | 'unreachable') {
    super(code);
    this.code = code;
  }
}

/** The HTTP interface of the server. */
export class Server {
  readonly #root: string;
  readonly #fetch: typeof fetch;

  constructor(root: string, fetcher: typeof fetch = (...request) => fetch(...request)) {
    this.#root = root;
    this.#fetch = fetcher;
  }

  offerings = () => this.#json<Offerings>('api/offerings');
  tables = () => this.#json<TableList>('api/tables');
  table = (id: string) => this.#json<TableInfo>(`api/tables/${id}`);

  edition(id: string, extras: readonly string[]): Promise<EditionDocument> {
    const query = extras.length ? `?extras=${extras.map(encodeURIComponent).join(',')}` : '';
    return this.#json(`api/editions/${encodeURIComponent(id)}${query}`);
  }

  /** The picture of an edition's board. The name of a board says nothing: anybody's may be called `europe`. */
  picture = (edition: string) => this.#json<Picture>(`api/editions/${encodeURIComponent(edition)}/picture`);

  create = (body: CreateTable, token: string) => this.#json<TableCreated>('api/tables', { body, token });

  join = (id: string, body: JoinTable, token: string) => this.#json<Joined>(`api/tables/${id}/join`, { body, token });

  /** The table for the room that has these six letters. */
  room = (code: string) => this.#json<FoundRoom>(`api/rooms/${encodeURIComponent(code)}`);

  /** Where other devices reach the server, if it knows. */
  reach = () => this.#json<Reach>('api/reach');

  /** Ask to be let in again at a table for the room: to a seat, or as its screen (null). */
  askEntry = (id: string, seat: number | null, token: string) =>
    this.#json<EntryWord>(`api/tables/${id}/entry`, { body: { seat }, token });

  /** Give back the seat that is kept for the holder of a token. */
  async decline(id: string, token: string): Promise<void> {
    await this.#request(`api/tables/${id}/decline`, { body: null, token });
  }

  /** The record of a game, as the holder of the token may have it. */
  async record(id: string, token: string | null): Promise<Blob> {
    return (await this.#request(`api/tables/${id}/record`, token ? { token } : {})).blob();
  }

  async #json<T>(path: string, options: { body?: unknown; token?: string } = {}): Promise<T> {
    return (await (await this.#request(path, options)).json()) as T;
  }

  async #request(path: string, options: { body?: unknown; token?: string }): Promise<Response> {
    const headers: Record<string, string> = {};
    if (options.token) headers.authorization = `Bearer ${options.token}`;
    const init: RequestInit = { headers };
    if (options.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.method = 'POST';
      init.body = JSON.stringify(options.body);
    }
    let response: Response;
    try {
      response = await this.#fetch(this.#root + path, init);
    } catch {
      throw new RequestError('unreachable');
    }
    if (!response.ok) {
      const problem = (await response.json().catch(() => null)) as Problem | null;
      throw new RequestError(problem?.code ?? 'unreachable');
    }
    return response;
  }
}

/** Return the code of a request's error, for the texts of the family `code`. */
export function errorCode(error: unknown): string {
  return error instanceof RequestError ? error.code : 'unknown';
}
