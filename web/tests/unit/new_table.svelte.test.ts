import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Server } from '../../src/connection/http.ts';
import { NewTable } from '../../src/pages/new_table.svelte.ts';

const PREPARING = { editions: [{ id: 'europe' }], bots: [], levels: [], packs: [], preparing: { bots: ['director'], percent: 3 } };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A table that is being set up at a server which prepares bots, and how often it has asked there. */
function waiting() {
  const asked = vi.fn(async () => new Response(JSON.stringify(PREPARING)));
  return { asked, table: new NewTable(new Server('/', asked as unknown as typeof fetch)) };
}

test('bots that are being prepared are asked for once a second, also by a page that loads in an effect', async () => {
  const { asked, table } = waiting();
  const leave = $effect.root(() => {
    $effect(() => void table.loadOfferings());
  });
  for (let tenth = 0; tenth < 25; tenth++) {
    flushSync();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(asked).toHaveBeenCalledTimes(3);
  leave();
});

test('who has left the page asks no more', async () => {
  const { asked, table } = waiting();
  await table.loadOfferings();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(asked).toHaveBeenCalledTimes(2);
  table.leave();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveBeenCalledTimes(2);
});
