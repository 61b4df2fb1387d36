/** The pages and scripts that the carrier specs load, by path. */

/** Reads a stream to its end as its app would; used by pages, frames and workers alike. */
const READ = `
async function read(url, init) {
  const response = await fetch(url, init);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
}
function input(runId) {
  return { method: 'POST', body: JSON.stringify({ threadId: 'thread-' + runId, runId, messages: [] }), headers: { 'content-type': 'application/json' } };
}
`;

export const PAGES: Readonly<Record<string, string>> = {
  '/page.html': `<!doctype html><meta charset="utf-8"><title>carriers</title><body><script>${READ}
    window.errors = [];
    addEventListener('error', (event) => errors.push(String(event.message)));
    addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
  </script>`,
  '/frame.html': `<!doctype html><meta charset="utf-8"><title>frame</title><script>${READ}
    read(...JSON.parse(decodeURIComponent(location.hash.slice(1)))).then((text) => parent.postMessage({ text }, '*'), (error) => parent.postMessage({ error: String(error) }, '*'));
  </script>`,
  '/worker.js': `${READ}
    const controller = new AbortController();
    onmessage = ({ data }) => {
      if (data === 'abort') return controller.abort();
      const [url, init] = data;
      read(url, { ...init, signal: controller.signal }).then((text) => postMessage({ text }), (error) => postMessage({ error: String(error) }));
    };`,
  '/sw.js': `${READ}
    addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('message', ({ data: [url, init], source }) => read(url, init).then((text) => source.postMessage({ text })));
    addEventListener('fetch', (event) => {
      const { pathname, search } = new URL(event.request.url);
      if (pathname.startsWith('/via/')) event.respondWith(fetch(pathname.slice(4) + search));
    });`,
};
