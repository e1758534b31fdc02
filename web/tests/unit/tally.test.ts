import { expect, test } from 'vitest';
import { save } from '../../src/lib/storage.ts';
import { countAnswer, readTally } from '../../src/puzzles/tally.ts';

test('every puzzle that was tried is counted, and those solved at the first answer', () => {
  expect(readTally()).toEqual({ tried: 0, right: 0 });
  countAnswer(true);
  countAnswer(false);
  expect(countAnswer(true)).toEqual({ tried: 3, right: 2 });
  expect(readTally()).toEqual({ tried: 3, right: 2 });
  save('puzzles', 'nonsense');
  expect(readTally()).toEqual({ tried: 0, right: 0 });
});
