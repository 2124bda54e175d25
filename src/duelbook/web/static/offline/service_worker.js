// Keeps the files of the page, so that it opens without the server. It keeps nothing else: answers
// about games, and secrets, never pass through it. The server writes `VERSION` and `FILES` above.

const worker = /** @type {any} */ (self);
const CACHE = `duelbook ${worker.VERSION}`;
const PAGE = "/";

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keep());
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(forgetOthers());
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

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...worker.FILES]);
  await worker.skipWaiting(); // files are kept by version, so pages that are open lose nothing
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * The page from the server, or the one that is kept, which is the same for all addresses.
 *
 * @param {Request} request
 */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE);
    if (kept) return kept;
    throw error;
  }
}

/**
 * A file of one version never changes, so the one that is kept will do.
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
