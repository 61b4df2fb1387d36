/** A service worker that answers /echo with a stream of what the page posts to it: the page decides what comes in one read. */
const encoder = new TextEncoder();
let controller = null;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
// by a port of its own, which takes a message past the browser's process: that would be the dearest part of a long stream
self.addEventListener('message', ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data === null) controller.close();
    else controller.enqueue(encoder.encode(data));
  };
});
self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname !== '/echo') return;
  const body = new ReadableStream({
    start(its) {
      controller = its;
    },
  });
  event.respondWith(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
});
