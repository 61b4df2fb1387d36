// A worker as small as the page scripts can be tested with: it journals every batch in IndexedDB and acknowledges it, so that it
// can be killed at any moment. The facts it keeps are `messages` and `lives`; the fact `hold` keeps it from acknowledging.
importScripts('journal-db.js');

const life = crypto.randomUUID();

chrome.runtime.onConnect.addListener((port) => {
  port.onMessage.addListener(async (message) => {
    const hold = await write(message, life);
    if (hold) return;
    try {
      port.postMessage({ doc: message.doc, acked: message.batches.at(-1).no });
    } catch {
      // the document is gone
    }
  });
});

// an extension page reloads the extension by this: only the worker outlives the page
chrome.runtime.onMessage.addListener(() => chrome.runtime.reload());
