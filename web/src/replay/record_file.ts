/** What the first line of a record says, before the server has proved it. */
import type { Expected } from './film_session.svelte.ts';

const FIRST_BYTES = 4096;

/** Return the edition that a record names; null where it names none that a server may know, or brings a board of its own. */
export async function editionOf(record: Blob): Promise<Expected | null> {
  const [line = ''] = (await record.slice(0, FIRST_BYTES).text()).split('\n', 1);
  try {
    const { edition, extras = [], board } = JSON.parse(line) as Record<string, unknown>;
    const named =
      typeof edition === 'string' && Array.isArray(extras) && extras.every((one) => typeof one === 'string');
    return named && !(board && typeof board === 'object') ? { edition, extras: extras as string[] } : null;
  } catch {
    return null;
  }
}
