import type { State } from '../protocol.gen.ts';

export type Entry = State['entries'][number];

/** What happened, after one more message; a gap starts the log anew. */
export function foldEntries(known: readonly Entry[], last: number, state: State): readonly Entry[] {
  if (state.since > last) return [...state.entries];
  const fresh = state.entries.filter((entry) => entry.number > last);
  return fresh.length ? [...known, ...fresh] : known;
}
