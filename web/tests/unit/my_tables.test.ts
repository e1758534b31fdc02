import { beforeEach, describe, expect, test } from 'vitest';
import { forgetTable, noteTable, notedTables, standingOf } from '../../src/my_tables/my_tables.ts';
import { saveToken } from '../../src/connection/tokens.ts';
import type { TableInfo } from '../../src/protocol.gen.ts';

const table = (id: string, more: Partial<TableInfo> = {}): TableInfo =>
  ({
    id,
    status: 'running',
    edition: 'europe',
    paused: false,
    awaited: [],
    seats: [
      { kind: 'person', name: 'Ada' },
      { kind: 'bot', name: '', bot: 'conductor' },
      { kind: 'person', name: 'Bea' },
    ],
    ...more,
  }) as unknown as TableInfo;

describe('my tables', () => {
  beforeEach(() => notedTables().forEach((one) => forgetTable(one.table)));

  test('are those of which this browser holds a token, the last seen first', () => {
    saveToken('old', 'x');
    noteTable(table('a'), [0], 1_000);
    noteTable(table('b'), [1], 2_000);
    expect(notedTables().map((one) => one.table)).toEqual(['b', 'a', 'old']);
    forgetTable('b');
    forgetTable('old');
    expect(notedTables().map((one) => one.table)).toEqual(['a']);
  });

  test('several seats of one browser are noted together', () => {
    noteTable(table('a'), [0, 2]);
    noteTable(table('a'), null);
    expect(notedTables()[0]).toMatchObject({ seats: [0, 2], names: ['Ada', 'Bruno', 'Bea'] });
  });

  test('wait for me, for others or for nobody', () => {
    noteTable(table('a'), [2]);
    const [one] = notedTables();
    expect(standingOf(one!, table('a', { awaited: [2] }))).toBe('move');
    expect(standingOf(one!, table('a', { awaited: [0] }))).toBe('wait');
    expect(standingOf(one!, table('a', { awaited: [2], paused: true }))).toBe('wait');
    expect(standingOf(one!, table('a', { status: 'over' }))).toBe('over');
    expect(standingOf(one!, null)).toBe('wait');
  });
});
