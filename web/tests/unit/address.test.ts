import { describe, expect, test } from 'vitest';
import { parseAddress, socketUrl, tableUrl } from '../../src/lib/address.ts';

describe('addresses', () => {
  test.each([
    ['http://h:1/', 'http://h:1/', null],
    ['http://h:1/table/abc', 'http://h:1/', 'abc'],
    ['https://h/games/', 'https://h/games/', null],
    ['https://h/games/table/a_b-c', 'https://h/games/', 'a_b-c'],
  ])('%s', (url, root, table) => {
    expect(parseAddress(new URL(url))).toMatchObject({ root, table });
  });
  test('are relative to the root', () => {
    expect(tableUrl('https://h/games/', 'x')).toBe('https://h/games/table/x');
    expect(socketUrl('https://h/games/')).toBe('wss://h/games/socket');
    expect(parseAddress(new URL('http://h/#new')).setup).toBe(true);
  });
});
