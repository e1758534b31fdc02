/** What was opened before works without a network, and the game can be installed: see public/service-worker.js. */

/** Start the worker that keeps what is loaded, where the browser has such workers and the page may have one. */
export function keepForLater(root: string): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  link('manifest', `${root}manifest.webmanifest`);
  link('apple-touch-icon', `${root}icon-180.png`); // Apple's systems read no icons from a manifest
  // The page waits for its language first, and may have been loaded meanwhile.
  if (document.readyState === 'complete') start(root);
  else addEventListener('load', () => start(root));
}

function link(rel: string, href: string): void {
  const element = document.createElement('link');
  Object.assign(element, { rel, href });
  document.head.append(element);
}

function start(root: string): void {
  // A browser that forbids it, as in a private window, loses nothing else.
  void navigator.serviceWorker.register(`${root}service-worker.js`, { scope: root }).catch(() => undefined);
  void navigator.serviceWorker.ready.then(({ active }) => {
    const loaded = performance.getEntriesByType('resource').map((one) => one.name);
    active?.postMessage({ keep: [root, ...loaded] });
  });
}
