import { beforeEach, describe, expect, test } from 'vitest';
import {
  commitmentTo,
  judge,
  loadSeen,
  mixedSeed,
  newPart,
  noteSeen,
  partAt,
  type Seen,
} from '../../../src/lib/shuffle.ts';
import { save } from '../../../src/lib/storage.ts';
import type { FinalState, PartInfo, TableInfo } from '../../../src/protocol.gen.ts';

const SERVER = '11'.repeat(32);
const ADA = 'a2'.repeat(32);
const CLEO = 'b3'.repeat(32);

const part = (of: string, revealed = true): PartInfo => ({
  commitment: commitmentTo(of),
  revealed,
  part: revealed ? of : null,
});

/** A game of Ada, a bot and Cleo that is over. */
function finished(parts: (PartInfo | null)[] = [part(ADA), null, part(CLEO)], server = SERVER) {
  const seed = mixedSeed(
    server,
    parts.map((one) => one?.part ?? null),
  );
  const shuffle = { server: commitmentTo(server), seats: parts, given: false, reveal_by: null };
  const table = { id: 't', status: 'over', commitment: commitmentTo(seed), shuffle } as unknown as TableInfo;
  const seen: Seen = {
    server: shuffle.server,
    seats: parts.map((one) => one?.commitment ?? null),
    commitment: table.commitment,
  };
  return { table, final: { seed, part: server } as unknown as FinalState, seen };
}

test('the hashes are those of Python', () => {
  expect(commitmentTo(ADA)).toBe('ce09bf69797db85e32328576dd1899c740ccd67e537a114a30d38fa3171109ab');
  expect(mixedSeed(SERVER, [ADA, null, CLEO])).toBe('1d992eaf3cc17c8b5e08392ad04bb5d32162cbe566dcdab10518a0ea5a03ab3a');
});

test('a part is new, and kept for its table', () => {
  expect(newPart()).toMatch(/^[0-9a-f]{64}$/);
  expect(newPart()).not.toBe(newPart());
  expect(partAt('one')).toBe(partAt('one'));
  expect(partAt('one')).not.toBe(partAt('two'));
});

describe('the verdict', () => {
  test('is fair when the seed follows from all parts, ours among them', () => {
    const { table, final, seen } = finished();
    expect(judge(table, final, ADA, seen)).toBe('fair');
    expect(judge(table, final, newPart(), seen)).toBe('without_me');
    expect(judge(table, final, null, null)).toBe('without_me');
  });

  test('names those whose part was not revealed', () => {
    const { table, final, seen } = finished([part(ADA), null, part(CLEO, false)]);
    expect(judge(table, final, ADA, seen)).toBe('fair');
    expect(judge(table, final, CLEO, seen)).toBe('without_me');
    const alone = finished([null, null, null]);
    expect(judge(alone.table, alone.final, ADA, null)).toBe('server_only');
  });

  test('is nothing where the table says nothing, and honest about given cards', () => {
    const { table, final } = finished();
    expect(judge({ ...table, shuffle: null }, final, ADA, null)).toBe(null);
    expect(judge({ ...table, shuffle: { ...table.shuffle!, given: true, server: null } }, final, ADA, null)).toBe(
      'given',
    );
  });

  test('is wrong for a server that has changed anything since it was published', () => {
    const { table, final, seen } = finished();
    const other = finished(undefined, '22'.repeat(32));
    expect(judge(other.table, other.final, ADA, seen)).toBe('wrong'); // consistent in itself, but not what was published
    expect(judge(table, { ...final, part: ADA }, ADA, seen)).toBe('wrong');
    expect(judge(table, { ...final, part: null }, ADA, seen)).toBe('wrong');
    expect(judge(table, { ...final, seed: SERVER }, ADA, seen)).toBe('wrong');
    expect(judge({ ...table, commitment: SERVER }, final, ADA, null)).toBe('wrong');
    const replaced = finished([part(ADA), null, part(newPart())]);
    expect(judge(replaced.table, replaced.final, ADA, seen)).toBe('wrong');
    const left = finished([part(ADA, false), null, part(CLEO)]);
    expect(judge({ ...table, shuffle: left.table.shuffle! }, final, ADA, seen)).toBe('wrong');
  });
});

describe('what was seen', () => {
  const waiting = (reveal_by: number | null, server = SERVER) =>
    ({
      id: 'noted',
      status: 'waiting',
      commitment: null,
      shuffle: { server: commitmentTo(server), seats: [part(ADA, false)], given: false, reveal_by },
    }) as unknown as TableInfo;
  beforeEach(() => save('shuffle.noted', 'null'));

  test('is noted when all have committed, and when the game begins, and never changes', () => {
    noteSeen(waiting(null), null);
    expect(loadSeen('noted')).toBe(null);
    noteSeen(waiting(9), null);
    const first = { server: commitmentTo(SERVER), seats: [commitmentTo(ADA)], commitment: null };
    expect(loadSeen('noted')).toEqual(first);
    noteSeen(waiting(9, CLEO), null);
    expect(loadSeen('noted')).toEqual(first);
    const running = (commitment: string) =>
      ({ ...waiting(null), shuffle: null, status: 'running', commitment }) as TableInfo;
    noteSeen(running('c1'), waiting(null, CLEO).shuffle!);
    expect(loadSeen('noted')).toEqual({ ...first, commitment: 'c1' });
    noteSeen(running('c2'), waiting(null).shuffle!);
    expect(loadSeen('noted')).toEqual({ ...first, commitment: 'c1' });
  });
});
