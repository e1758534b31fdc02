import { describe, expect, test } from 'vitest';
import { parseAddress, parseBrought, tableUrl } from '../../../src/connection/address.ts';

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
    expect(parseAddress(new URL('http://h/#new')).setup).toBe('new');
    expect(parseAddress(new URL('http://h/#here')).setup).toBe('here');
  });
  test('bring a seat and a language along behind the hash sign', () => {
    const token = 'a_b-'.repeat(11);
    const brought = (hash: string) => parseBrought(new URL(`http://h/table/x${hash}`));
    expect(brought(`#token=${token}&language=es`)).toEqual({ token, language: 'es' });
    expect(brought('#language=ro')).toEqual({ token: null, language: 'ro' });
    expect(brought('#token=short')).toEqual({ token: null, language: null });
    expect(brought('#new')).toBeNull();
    expect(brought('')).toBeNull();
    expect(brought(`?token=${token}`)).toBeNull();
  });
});
