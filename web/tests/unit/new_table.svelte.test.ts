import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { Server } from '../../src/connection/http.ts';
import { NewTable } from '../../src/pages/new_table.svelte.ts';

const OFFERINGS = { editions: [{ id: 'usa' }], bots: [], levels: [], packs: [] };

test('what the server offers is asked for once, also by a page that loads in an effect', async () => {
  const asked = vi.fn(async () => new Response(JSON.stringify(OFFERINGS)));
  const table = new NewTable(new Server({ request: asked, open: () => null! }));
  const leave = $effect.root(() => {
    $effect(() => void table.loadOfferings());
  });
  flushSync();
  await vi.waitFor(() => expect(table.edition).toBe('usa'));
  flushSync();
  await table.loadOfferings();
  expect(asked).toHaveBeenCalledTimes(1);
  leave();
});
