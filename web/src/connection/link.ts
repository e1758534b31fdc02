import { parseAddress, parseBrought } from './address.ts';
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
  const brought = parseBrought(url);
  if (!brought) return false;
  const { table } = parseAddress(url);
  if (table !== null && brought.token !== null && loadToken(table) === null) {
    saveToken(table, brought.token);
    noteByLink(table);
  }
  if (brought.language !== null) save('language', brought.language);
  url.hash = '';
  history.replaceState(null, '', url.href.replace(/#$/, ''));
  return true;
}
