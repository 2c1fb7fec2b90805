// The service worker of a night: keeps its desk, so that it opens without a network. What is recorded it never touches.
{% autoescape off %}
const DESK = "{{ desk }}";
const FILES = [{% for file in files %}"{{ file }}"{% if not forloop.last %}, {% endif %}{% endfor %}];
const CACHE = `desk-${DESK}-{{ language }}-{{ version }}`;
{% endautoescape %}
const WAIT_MS = 3000;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([DESK, ...FILES]);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const mine = (await caches.keys()).filter((name) => name.startsWith(`desk-${DESK}-`) && name !== CACHE);
    await Promise.all(mine.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

// The page as it is now if the network answers soon, else as it was kept.
const page = async (request) => {
  const cache = await caches.open(CACHE);
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("late")), WAIT_MS));
  try {
    const answer = await Promise.race([fetch(request), late]);
    if (answer.ok) await cache.put(DESK, answer.clone());
    return answer.ok ? answer : ((await cache.match(DESK)) ?? answer);
  } catch {
    return (await cache.match(DESK)) ?? Response.error();
  }
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.mode === "navigate" && pathname === DESK) event.respondWith(page(request));
  else if (FILES.includes(pathname)) {
    event.respondWith((async () => (await caches.match(request, { cacheName: CACHE })) ?? fetch(request))());
  }
});
