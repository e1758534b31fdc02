/** Addresses of pages and of the server, all relative to one root, so that any prefix works. */

const TABLE = /\/table\/([A-Za-z0-9_-]{1,64})$/;

/** Whether the server runs in this page itself. Then any host serves it, and that knows only the root. */
export const IN_PAGE = import.meta.env.MODE === 'page';

/** Such a page may know a server where people meet who are not on one device: it is named when the page is built. */
export const FRIENDS: string = IN_PAGE ? import.meta.env.FERROVIA_SERVER : '';

/** A table of any kind, one for people who share this device, or one for the room with a screen of its own. */
export type Setup = 'new' | 'here' | 'room';
const SETUPS: readonly Setup[] = ['new', 'here', 'room'];

/** Behind the link of a table: its screen for a stream, with so many seconds of delay. */
const OVERLAY = /^#overlay(?:=(\d{1,4}))?$/;

export interface Address {
  /** The root that everything is relative to; ends with a slash. */
  readonly root: string;
  readonly table: string | null;
  /** Seconds of delay, where the table is shown for a stream. */
  readonly overlay: number | null;
  /** What is set up on this page, if it is the page where that is done. */
  readonly setup: Setup | null;
  /** The part behind the hash sign where it is a path of its own, as that of a film; else empty. */
  readonly inside: string;
}

/** Return which page a URL means. */
export function parseAddress(url: URL): Address {
  const inPath = TABLE.exec(url.pathname)?.[1] ?? null;
  const path = inPath === null ? url.pathname : url.pathname.slice(0, -`table/${inPath}`.length);
  const table = inPath ?? TABLE.exec(url.hash)?.[1] ?? null;
  const root = `${url.origin}${path.slice(0, path.lastIndexOf('/') + 1)}`;
  const setup = SETUPS.find((one) => url.hash === `#${one}`) ?? null;
  const stream = inPath === null ? null : OVERLAY.exec(url.hash);
  const overlay = stream && Number(stream[1] ?? 0);
  return { root, table, overlay, setup, inside: table === null && url.hash.startsWith('#/') ? url.hash : '' };
}

/** What a link of `ferrovia play` brings along behind the hash sign, where no server sees it. */
export interface LinkContents {
  /** The secret that holds a seat at the table of the link. */
  readonly token: string | null;
  readonly language: string | null;
}

const TOKEN = /^[A-Za-z0-9_-]{43,64}$/;

/** Return what a URL brings along, or null where it is nothing. */
export function parseLink(url: URL): LinkContents | null {
  const given = new URLSearchParams(url.hash.slice(1));
  const token = given.get('token');
  const language = given.get('language');
  if (token === null && language === null) return null;
  return { token: token !== null && TOKEN.test(token) ? token : null, language };
}

export function tableUrl(root: string, table: string): string {
  return `${root}${IN_PAGE ? '#/' : ''}table/${table}`;
}
