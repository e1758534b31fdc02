/** Tokens hold the seats of this browser; they are stored per table. */
import { load, save } from '../lib/storage.ts';

export const loadToken = (table: string) => load(`table.${table}`);
export const saveToken = (table: string, token: string) => save(`table.${table}`, token);

/** Return a new secret of 256 random bits, in the form of the server's tokens. */
export const newToken = (): string => randomText(32);

/** Return a new id for a command or a table: unique, not secret. */
export const newId = (): string => randomText(12);

/** Random bytes in the URL-safe alphabet of Base64. */
function randomText(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  const text = btoa(String.fromCharCode(...random));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
