/*
 * What was opened before works without a network: the client's files, boards, and films of finished games.
 * Files whose name has a hash of their contents never change; everything else is asked for first.
 * What the server says must not be stored (a running game, a table, a record) is never stored.
 */
self.importScripts('./notices.js');
const CACHE = 'ferrovia-1';
const MOST = 400;
const root = new URL('./', self.location.href);
const HASHED = /\/assets\/.*-[\w-]{8}\.\w+$/;
/** Where the client's one page is; any other address that is opened says something of its own. */
const PAGE = /^(table\/[\w-]+)?([?#]|$)/;
const KEPT = /^api\/(editions\/|tables\/[\w-]+\/film(\?|$))/;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name.startsWith('ferrovia-') && name !== CACHE).map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(root.href)) return;
  const path = url.href.slice(root.href.length);
  if (request.mode === 'navigate') {
    if (PAGE.test(path)) event.respondWith(fresh(request, new Request(root.href)));
  } else if (HASHED.test(url.pathname)) event.respondWith(stored(request));
  else if (KEPT.test(path) || !path.startsWith('api/')) event.respondWith(fresh(request, new Request(url.href)));
});

/** The page tells what it had loaded before this worker was there. */
self.addEventListener('message', ({ data }) => {
  const urls = Array.isArray(data?.keep)
    ? data.keep.filter((url) => typeof url === 'string' && url.startsWith(root.href)).slice(0, 100)
    : [];
  for (const url of urls) {
    const path = url.slice(root.href.length);
    if (HASHED.test(url)) void stored(new Request(url)).catch(() => undefined);
    else if (KEPT.test(path) || !path.startsWith('api/'))
      void fresh(new Request(url), new Request(url)).catch(() => undefined);
  }
});

/** The file of the cache, or the server's, which is kept. */
async function stored(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? keep(cache, request, await fetch(request));
}

/** The server's answer, which is kept; without a network the last one. */
async function fresh(request, as) {
  const cache = await caches.open(CACHE);
  try {
    return await keep(cache, as, await fetch(request));
  } catch (problem) {
    const last = await cache.match(as);
    if (last) return last;
    throw problem;
  }
}

async function keep(cache, as, response) {
  const forbidden = /no-store/.test(response.headers.get('cache-control') ?? '');
  if (response.ok && response.type === 'basic' && !forbidden) {
    await cache.put(as, response.clone());
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST)).map((old) => cache.delete(old)));
  }
  return response;
}
