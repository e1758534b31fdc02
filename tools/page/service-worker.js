/*
 * After the first visit the page needs no network: everything but the nets is kept, each file by its contents. FILES,
 * which the build writes in front of this, has the digest of every file; what is something else is not taken, so a
 * visit never mixes two versions. A newer version waits until the pages of this one are closed, or it is asked for.
 */
self.importScripts("./notices.js");
const CACHE = "ferrovia-page";
const LATER = /\.npz$/;
const PACKED = /\.(css|html|js|json|mjs|svg|tsv|wasm|webmanifest|zip)$/;
const root = new URL("./", self.location.href).href;
/** Files by the name under which they are kept: their address and their contents. */
const key = (name) => `${root}${name}?${FILES[name]}`;

/** What a host would say in headers; the workers of a page have no document that says it. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; media-src 'self'; connect-src 'self' blob:; manifest-src 'self'; worker-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

self.addEventListener("install", (event) => {
  // At the first visit the page fetches what it needs through this worker, and asks for the rest when it is ready.
  if (self.registration.active) event.waitUntil(keepAll());
});

async function keepAll() {
  const cache = await caches.open(CACHE);
  const queue = Object.keys(FILES).filter((name) => !LATER.test(name));
  const next = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      if (!(await cache.match(key(name))))
        await keep(name, await proved(name, await fetched(name)));
  };
  await Promise.all([next(), next(), next(), next()]);
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      const current = new Set(Object.keys(FILES).map(key));
      for (const { url } of await cache.keys())
        if (url.startsWith(root) && !current.has(url)) await cache.delete(url);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  const { data } = event;
  if (data === "take over") void self.skipWaiting();
  if (data === "keep all") event.waitUntil(keepAll());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !request.url.startsWith(root)) return;
  const name =
    request.mode === "navigate"
      ? "index.html"
      : decodeURIComponent(url.href.slice(root.length).split(/[?#]/)[0]);
  if (Object.hasOwn(FILES, name)) event.respondWith(answer(name, event));
});

/** The file as it is kept; else the host's, which is kept if there is room. */
async function answer(name, event) {
  const kept = await (await caches.open(CACHE)).match(key(name));
  if (kept) return kept;
  let file;
  try {
    file = await proved(name, await fetched(name));
  } catch (problem) {
    if (event.request.mode !== "navigate") throw problem;
    return fetched(name); // the page of a newer version, which takes that version when it is there
  }
  event.waitUntil(keep(name, file.clone()).catch(() => undefined));
  return file;
}

/** What came, once it is all there; a TypeError if it is another file than this version has. */
async function proved(name, response) {
  const data = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  const text = [...digest]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  if (text !== FILES[name])
    throw new TypeError(`${name} is not what this version has`);
  return new Response(data, { headers: response.headers });
}

async function keep(name, file) {
  await (await caches.open(CACHE)).put(key(name), file);
}

/** What the host has; where it packs nothing on its way, the copy that is packed already. */
async function fetched(name) {
  const end = new AbortController();
  const plain = await fetch(root + name, {
    cache: "no-cache",
    signal: end.signal,
  });
  const headers = {
    ...HEADERS,
    "content-type":
      plain.headers.get("content-type") ?? "application/octet-stream",
  };
  if (
    plain.ok &&
    PACKED.test(name) &&
    !plain.headers.get("content-encoding") &&
    "DecompressionStream" in self
  ) {
    const packed = await fetch(`${root}${name}.gz`, { cache: "no-cache" });
    if (packed.ok && !packed.headers.get("content-encoding")) {
      end.abort();
      return new Response(
        packed.body.pipeThrough(new DecompressionStream("gzip")),
        { headers },
      );
    }
  }
  if (!plain.ok) throw new TypeError(`${name}: ${plain.status}`);
  return new Response(plain.body, { headers });
}
