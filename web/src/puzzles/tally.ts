/** How many puzzles were tried in this browser, and how many of them solved at the first answer. */
import { load, save } from '../lib/storage.ts';

export interface Tally {
  readonly tried: number;
  readonly right: number;
}

export function readTally(): Tally {
  try {
    return { tried: 0, right: 0, ...(JSON.parse(load('puzzles') ?? '{}') as object) };
  } catch {
    return { tried: 0, right: 0 }; // whatever was stored there is no tally
  }
}

/** Count the first answer to a puzzle; returns the new tally. */
export function countAnswer(right: boolean): Tally {
  const before = readTally();
  const tally = { tried: before.tried + 1, right: before.right + Number(right) };
  save('puzzles', JSON.stringify(tally));
  return tally;
}
