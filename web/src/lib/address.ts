/** Addresses of pages and of the server, all relative to one root, so that any prefix works. */

const TABLE = /\/table\/([A-Za-z0-9_-]{1,64})$/;

export interface Address {
  /** The root that everything is relative to; ends with a slash. */
  readonly root: string;
  readonly table: string | null;
  /** Whether this is the page where a table is set up. */
  readonly setup: boolean;
}

/** Return which page a URL means. */
export function parseAddress(url: URL): Address {
  const table = TABLE.exec(url.pathname)?.[1] ?? null;
  const path = table === null ? url.pathname : url.pathname.slice(0, -`table/${table}`.length);
  const root = `${url.origin}${path.slice(0, path.lastIndexOf('/') + 1)}`;
  return { root, table, setup: url.hash === '#new' };
}

export function tableUrl(root: string, table: string): string {
  return `${root}table/${table}`;
}

export function socketUrl(root: string): string {
  return `${root.replace(/^http/, 'ws')}socket`;
}
