import { mount } from 'svelte';
import type { Transport } from '../connection/transport.ts';
import PageLine from './PageLine.svelte';
import { page } from './state.svelte.ts';
import { PageTransport } from './transport.ts';

/** Start the server in this page, or find that of another tab; a line at the foot says how far it is. */
export function serverInPage(root: string): Transport {
  mount(PageLine, { target: document.body });
  if (!can()) {
    page.hear({ ready: false, part: 0, kept: false, problem: 'unsupported' });
    return { request: () => Promise.reject(new TypeError('no server')), open: () => ({}) as never };
  }
  void watchForNewer(root);
  return new PageTransport(root, (state) => page.hear(state));
}

/** Whether this browser, at this address, has all that it takes. */
const can = (): boolean =>
  ['WebAssembly', 'Worker', 'BroadcastChannel'].every((name) => name in globalThis) && 'locks' in navigator;

/** A newer version waits beside the one that runs: say so, and load it when it is asked for, in all tabs. */
async function watchForNewer(root: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker?.controller) return; // a first visit has the newest
  serviceWorker.addEventListener('controllerchange', () => location.reload());
  const registration = await serviceWorker.getRegistration(root);
  if (!registration) return;
  const look = (): void => {
    const { waiting } = registration;
    page.takeNewer = waiting && (() => waiting.postMessage('take over'));
  };
  const watch = (): void => registration.installing?.addEventListener('statechange', look);
  look();
  watch(); // it may have been found while this page was loading
  registration.addEventListener('updatefound', watch);
}
