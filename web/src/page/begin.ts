import { mount } from 'svelte';
import type { Transport } from '../connection/transport.ts';
import Progress from './Progress.svelte';
import { page } from './state.svelte.ts';
import { PageTransport } from './transport.ts';

/** Start the server in this page, or find that of another tab; a line at the foot says how far it is. */
export function serverInPage(root: string): Transport {
  mount(Progress, { target: document.body });
  return new PageTransport(root, (state) => page.hear(state));
}
