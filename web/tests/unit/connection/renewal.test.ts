import { describe, expect, test } from 'vitest';
import type { Server } from '../../../src/connection/http.ts';
import { cameByLink, noteByLink, renewing, renewToken } from '../../../src/connection/renewal.ts';
import { loadToken, saveToken } from '../../../src/connection/tokens.ts';

/** A server that has renewed `held`, and whose answers may be lost. */
class House {
  held = 'by link';
  deaf = false;
  readonly server = {
    renew: (_: string, token: string, fresh: string) => {
      if (this.held !== fresh && this.held !== token) return Promise.reject(new Error('wrong_token'));
      this.held = fresh;
      return this.deaf ? Promise.reject(new Error('unreachable')) : Promise.resolve();
    },
  } as unknown as Server;
}

describe('a seat that came by a link', () => {
  test('is held with a new secret, also where the answer was lost', async () => {
    const house = new House();
    saveToken('t', house.held);
    noteByLink('t');
    house.deaf = true;
    await expect(renewToken(house.server, 't', 'by link')).rejects.toThrow('unreachable');
    expect(loadToken('t')).toBe('by link');
    expect(renewing('t')).toBe(true);
    house.deaf = false;
    const fresh = await renewToken(house.server, 't', 'by link');
    expect(fresh).not.toBe('by link');
    expect(house.held).toBe(fresh);
    expect(loadToken('t')).toBe(fresh);
    expect(renewing('t') || cameByLink('t')).toBe(false);
  });
});
