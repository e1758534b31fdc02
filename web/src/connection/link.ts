import { parseAddress, parseLink } from './address.ts';
import { save } from '../lib/storage.ts';
import { noteByLink } from './renewal.ts';
import { loadToken, saveToken } from './tokens.ts';

/**
 * Keep what the link of this page brings along, a seat and a language, and take it out of the address bar, so that
 * whoever is shown or sent the address gets no seat. A seat that this browser has at the table already is kept.
 * Returns whether there was anything.
 */
export function unpackLink(): boolean {
  const url = new URL(location.href);
  const link = parseLink(url);
  if (!link) return false;
  const { table } = parseAddress(url);
  if (table !== null && link.token !== null && loadToken(table) === null) {
    saveToken(table, link.token);
    noteByLink(table);
  }
  if (link.language !== null) save('language', link.language);
  url.hash = '';
  history.replaceState(null, '', url.href.replace(/#$/, ''));
  return true;
}
