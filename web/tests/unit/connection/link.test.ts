import { afterEach, describe, expect, test, vi } from 'vitest';
import { unpackLink } from '../../../src/connection/link.ts';
import { load } from '../../../src/lib/storage.ts';
import { loadToken, saveToken } from '../../../src/connection/tokens.ts';

const TOKEN = 'a_b-'.repeat(11);

/** The page is opened at an address; returns whether the link brought anything, and the address after it. */
function opened(href: string): { unpacked: boolean; href: string } {
  const shown = { href };
  vi.stubGlobal('location', shown);
  vi.stubGlobal('history', { replaceState: (_: unknown, __: string, url: string) => (shown.href = url) });
  return { unpacked: unpackLink(), href: shown.href };
}

afterEach(() => vi.unstubAllGlobals());

describe('a link of the command line', () => {
  test('gives its seat to this browser, and shows nobody the secret', () => {
    const page = opened(`http://h:1/table/one#token=${TOKEN}&language=pt`);
    expect(page).toEqual({ unpacked: true, href: 'http://h:1/table/one' });
    expect(loadToken('one')).toBe(TOKEN);
    expect(load('language')).toBe('pt');
  });

  test('takes no seat from this browser', () => {
    saveToken('two', 'mine');
    opened(`http://h:1/table/two#token=${TOKEN}`);
    expect(loadToken('two')).toBe('mine');
  });

  test('is no link of the command line where it brings nothing', () => {
    expect(opened('http://h:1/#new')).toEqual({ unpacked: false, href: 'http://h:1/#new' });
  });
});
