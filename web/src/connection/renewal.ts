/**
 * A seat that came by a link: whoever made the link has its secret too, and could read the hand. So the browser that
 * takes the seat holds it with a secret of its own from then on.
 */
import { forget, load, save } from '../lib/storage.ts';
import type { Server } from './http.ts';
import { newToken, saveToken } from './tokens.ts';

const LINK = 'by_link.';
const NEW = 'renewing.';

export const noteByLink = (table: string): void => save(LINK + table, '1');
export const cameByLink = (table: string): boolean => load(LINK + table) !== null;
/** Whether a renewal was begun and its answer has not come. */
export const renewing = (table: string): boolean => load(NEW + table) !== null;

/** Hold a seat with a new secret, and return that; it is kept before it is asked for, and an answer that is lost is asked for again. */
export async function renewToken(server: Server, table: string, token: string): Promise<string> {
  const fresh = load(NEW + table) ?? newToken();
  save(NEW + table, fresh);
  await server.renew(table, token, fresh);
  saveToken(table, fresh);
  forget(LINK + table);
  forget(NEW + table);
  return fresh;
}
