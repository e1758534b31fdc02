import { describe, expect, test } from 'vitest';
import { parseAddress, parseLink, tableUrl } from '../../../src/connection/address.ts';

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
  test('of a table for a stream have its delay', () => {
    const overlay = (url: string) => parseAddress(new URL(url)).overlay;
    expect(overlay('http://h/table/x#overlay')).toBe(0);
    expect(overlay('http://h/table/x#overlay=90')).toBe(90);
    for (const other of ['table/x', 'table/x#overlay=soon', '#overlay'])
      expect(overlay(`http://h/${other}`)).toBeNull();
  });
  test('bring a seat and a language along behind the hash sign', () => {
    const token = 'a_b-'.repeat(11);
    const contents = (hash: string) => parseLink(new URL(`http://h/table/x${hash}`));
    expect(contents(`#token=${token}&language=es`)).toEqual({ token, language: 'es' });
    expect(contents('#language=ro')).toEqual({ token: null, language: 'ro' });
    expect(contents('#token=short')).toEqual({ token: null, language: null });
    expect(contents('#new')).toBeNull();
    expect(contents('')).toBeNull();
    expect(contents(`?token=${token}`)).toBeNull();
  });
});
