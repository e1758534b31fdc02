/** Where this page is, and where the server is: all of it relative, so that any prefix will do. */

const TABLE = /\/table\/([A-Za-z0-9_-]{1,64})$/;

export interface Place {
  readonly root: string;
  readonly table: string | null;
  readonly setup: boolean;
}

export function placeOf(url: URL): Place {
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
