// Caches the files of the page, so that it opens without the server. It caches nothing else:
// requests about games, and secrets, never pass through it. The server inserts `VERSION` and
// `FILES` above.

const worker = /** @type {any} */ (self);
const CACHE = `duelbook ${worker.VERSION}`;
const PAGE = "/";

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(cacheFiles());
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(deleteOldCaches());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? PAGE));
});

async function cacheFiles() {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...worker.FILES]);
  await worker.skipWaiting(); // files are cached by version, so open pages lose nothing
}

async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * Return the page from the server, or the cached page, which is the same for all addresses.
 *
 * @param {Request} request
 */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await caches.match(PAGE);
    if (cached) return cached;
    throw error;
  }
}

/**
 * Return a file from the cache, if it is there. A file of one version never changes.
 *
 * @param {Request} request
 */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** @param {string} path */
async function open(path) {
  const tabs = await worker.clients.matchAll({ type: "window" });
  const tab = tabs.find((/** @type {any} */ { url }) => new URL(url).pathname === path);
  return tab ? tab.focus() : worker.clients.openWindow(path);
}
