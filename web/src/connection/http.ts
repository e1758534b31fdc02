import type {
  AnalysisReport,
  CreateTable,
  EditionDocument,
  EntryWord,
  ForkGame,
  FoundRoom,
  Joined,
  JoinTable,
  Offerings,
  PosedPuzzle,
  Problem,
  PushKey,
  Reach,
  Screening,
  TableCreated,
  TableInfo,
  TableList,
  Tutorial,
} from '../protocol.gen.ts';
import type { Picture } from '../board/picture.ts';
import type { Transport } from './transport.ts';

/** A request that the server refused, with its code, or that did not reach the server. */
export class RequestError extends Error {
  readonly code: Problem['code'] | 'unreachable';
  /** What the server said, where it said anything. */
  readonly problem: Problem | null;

  constructor(code: Problem['code'] | 'unreachable', problem: Problem | null = null) {
    super(code);
    this.code = code;
    this.problem = problem;
  }
}

/** Which film: from whose eyes, and up to which turn (`12`, or `12.1` for a part of it); null: everything that may be seen. */
export interface FilmQuery {
  readonly view: string | null;
  readonly until: string | null;
  /** Also chat, and moves that were taken back. */
  readonly interludes?: boolean;
}

/** Which picture: of which turn, or since which one; with the names of the players or without. */
export interface PictureQuery {
  readonly at: string;
  readonly since: string | null;
  readonly names: boolean;
}

const filmQuery = ({ view, until, interludes }: FilmQuery): string => {
  const asked = new URLSearchParams();
  if (interludes) asked.set('interludes', 'yes');
  if (view !== null) asked.set('view', view);
  if (until !== null) asked.set('until', until);
  const query = asked.toString();
  return query ? `?${query}` : '';
};

const LONGEST = 30_000; // milliseconds in which the server answers
const LONGEST_PROOF = 180_000; // a record that is sent is proved first

interface Options {
  readonly body?: unknown;
  readonly token?: string;
  readonly record?: Blob;
}

/** The server: its HTTP interface, and the sockets of its tables. */
export class Server {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Open the socket of a table. */
  open = () => this.#transport.open();

  offerings = () => this.#json<Offerings>('api/offerings');
  tables = () => this.#json<TableList>('api/tables');
  table = (id: string) => this.#json<TableInfo>(`api/tables/${id}`);

  edition(id: string, extras: readonly string[]): Promise<EditionDocument> {
    const query = extras.length ? `?extras=${extras.map(encodeURIComponent).join(',')}` : '';
    return this.#json(`api/editions/${encodeURIComponent(id)}${query}`);
  }

  /** The edition of a table, with the tickets that its game began with. */
  editionOf = (table: string) => this.#json<EditionDocument>(`api/tables/${table}/edition`);

  /** The picture of an edition's board. The name of a board says nothing: anybody's may be called `europe`. */
  picture = (edition: string) => this.#json<Picture>(`api/editions/${encodeURIComponent(edition)}/picture`);

  create = (body: CreateTable, token: string) => this.#json<TableCreated>('api/tables', { body, token });

  join = (id: string, body: JoinTable, token: string) => this.#json<Joined>(`api/tables/${id}/join`, { body, token });

  /** The table for the room that has these six letters. */
  room = (code: string) => this.#json<FoundRoom>(`api/rooms/${encodeURIComponent(code)}`);

  /** Where other devices reach the server, if it knows. */
  reach = () => this.#json<Reach>('api/reach');

  /** The key with which browsers subscribe to be told of turns. */
  push = () => this.#json<PushKey>('api/push');

  /** Ask to be let in again at a table for the room: to a seat, or as its screen (null). */
  askEntry = (id: string, seat: number | null, token: string) =>
    this.#json<EntryWord>(`api/tables/${id}/entry`, { body: { seat }, token });

  /** Give back the seat that is kept for the holder of a token. */
  async decline(id: string, token: string): Promise<void> {
    await this.#request(`api/tables/${id}/decline`, { body: null, token });
  }

  /** Called when the server asks for its word first. */
  wordNeeded: () => void = () => {};

  /** Say the word of a private server; this browser keeps what it gets for it. */
  async sayWord(word: string): Promise<void> {
    await this.#request('api/word', { body: { word } });
  }

  /** Hold a seat with a new secret from now on; to ask again changes nothing. */
  async renew(id: string, token: string, fresh: string): Promise<void> {
    await this.#request(`api/tables/${id}/token`, { body: { token: fresh }, token });
  }

  /** The record of a game, as the holder of the token may have it. */
  async record(id: string, token: string | null): Promise<Blob> {
    return (await this.#request(`api/tables/${id}/record`, token ? { token } : {})).blob();
  }

  /** Play on from a moment of a finished game, at a practice table. */
  fork = (body: ForkGame, token: string) => this.#json<TableCreated>('api/forks', { body, token });

  /** A tutorial that the server has: notes, and the record that they lead through. */
  tutorial = (name: string) => this.#json<Tutorial>(`api/tutorials/${name}`);

  /** A puzzle by its number, or that of today. */
  puzzle = (number: string) => this.#json<PosedPuzzle>(`api/puzzles/${number}`);

  /** Tell the people who run the server that a puzzle is wrong. */
  async reportPuzzle(number: number): Promise<void> {
    await this.#request(`api/puzzles/${number}/report`, { body: null });
  }

  /** How far the analysis of a finished game is, and what it says to the holder of the token; `older`: which one before the newest. */
  analysis = (id: string, token: string | null, older = 0) =>
    this.#json<AnalysisReport>(`api/tables/${id}/analysis?older=${older}`, token ? { token } : {});

  /** Have a finished game analysed; `renew`: once more. */
  analyse = (id: string, token: string | null, renew: boolean) =>
    this.#json<AnalysisReport>(`api/tables/${id}/analysis`, { body: { renew }, ...(token ? { token } : {}) });

  /** Have a record from a file analysed, once the server has proved it; `renew`: once more. */
  analyseRecord = (record: Blob, renew: boolean) =>
    this.#json<AnalysisReport>(`api/films/analysis${renew ? '?renew=yes' : ''}`, { record });

  /** How far the analysis of a record is that was sent before, by its hash. */
  analysisOfRecord = (hash: string, older = 0) =>
    this.#json<AnalysisReport>(`api/films/analysis/${hash}?older=${older}`);

  /** Let the others see what the analysis says about one's own choices, or no more. */
  shareAnalysis = (id: string, token: string, share: boolean) =>
    this.#json<AnalysisReport>(`api/tables/${id}/analysis/share`, { body: { share }, token });

  /** What pages ask that are not the table's, each with functions of its own (workshop.ts). */
  async ask(path: string, body?: unknown): Promise<Response> {
    return this.#request(path, body === undefined ? {} : { body });
  }

  /** The film of a table's game, as the holder of the token may see it. */
  film = (id: string, token: string | null, query: FilmQuery) =>
    this.#json<Screening>(`api/tables/${id}/film${filmQuery(query)}`, token ? { token } : {});

  /** The film of a record from a file, once the server has proved it. Nothing of it is stored. */
  filmOfRecord = (record: Blob, query: FilmQuery) => this.#json<Screening>(`api/films${filmQuery(query)}`, { record });

  /** The picture of a turn, or a clip of the turns after `since` up to it, as SVG; of a table, or of a record from a file. */
  async filmPicture(of: string | Blob, token: string | null, asked: PictureQuery): Promise<string> {
    const query = new URLSearchParams({ at: asked.at });
    if (asked.since !== null) query.set('since', asked.since);
    if (!asked.names) query.set('names', 'no');
    const answer =
      typeof of === 'string'
        ? await this.#request(`api/tables/${of}/picture?${query}`, token ? { token } : {})
        : await this.#request(`api/films/picture?${query}`, { record: of });
    return answer.text();
  }

  async #json<T>(path: string, options: Options = {}): Promise<T> {
    const response = await this.#request(path, options);
    try {
      return (await response.json()) as T;
    } catch {
      throw new RequestError('unreachable'); // the answer broke off
    }
  }

  async #request(path: string, options: Options): Promise<Response> {
    const headers: Record<string, string> = {};
    // Not `Authorization`: a proxy may ask for a password of its own, which the browser sends there.
    if (options.token) headers['ferrovia-token'] = options.token;
    const init: RequestInit = { headers, signal: AbortSignal.timeout(options.record ? LONGEST_PROOF : LONGEST) };
    if (options.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.method = 'POST';
      init.body = JSON.stringify(options.body);
    }
    if (options.record) {
      headers['content-type'] = 'application/jsonl';
      init.method = 'POST';
      init.body = options.record;
    }
    let response: Response;
    try {
      response = await this.#transport.request(path, init);
    } catch {
      throw new RequestError('unreachable');
    }
    if (!response.ok) {
      const problem = (await response.json().catch(() => null)) as Problem | null;
      if (problem?.code === 'word_needed') this.wordNeeded();
      throw new RequestError(problem?.code ?? 'unreachable', problem);
    }
    return response;
  }
}

/** Return the code of a request's error, for the texts of the family `code`. */
export function errorCode(error: unknown): string {
  return error instanceof RequestError ? error.code : 'unknown';
}
