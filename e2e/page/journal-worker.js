// A worker as small as the page scripts can be tested with: it journals every batch in IndexedDB and acknowledges it, so that it
// can be killed at any moment. `hold` keeps it from acknowledging.
const opening = indexedDB.open('journal', 1);
const db = new Promise((resolve, reject) => {
  opening.onupgradeneeded = () => opening.result.createObjectStore('batches');
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = () => reject(opening.error);
});

globalThis.hold = false;
globalThis.messages = 0;

const whole = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function write(message) {
  const transaction = (await db).transaction('batches', 'readwrite');
  const batches = transaction.objectStore('batches');
  // a batch that is there stays: the relay sends again what was not acknowledged
  for (const batch of message.batches)
    batches.add({ ...batch, url: message.url, lost: message.lost }, [message.doc, batch.no]).onerror = (e) => {
      e.preventDefault();
      e.stopPropagation();
    };
  transaction.commit();
  await new Promise((resolve) => {
    transaction.oncomplete = transaction.onabort = resolve;
  });
}

chrome.runtime.onConnect.addListener((port) => {
  port.onMessage.addListener(async (message) => {
    globalThis.messages += 1;
    await write(message);
    if (globalThis.hold) return;
    try {
      port.postMessage({ doc: message.doc, acked: message.batches.at(-1).no });
    } catch {
      // the document is gone
    }
  });
});

/** Every journaled record in order, bytes as base64 of what a chunk holds. */
globalThis.journal = async () => {
  const store = (await db).transaction('batches').objectStore('batches');
  const [keys, values] = await Promise.all([whole(store.getAllKeys()), whole(store.getAll())]);
  return values.flatMap(({ no, meta, bytes, url }, i) => {
    const records = [];
    let at = 0;
    for (let m = 0; m < meta.length; m += 5) {
      const [conn, kind, time, asked, payload] = meta.slice(m, m + 5);
      const record = { doc: keys[i][0], no, url, conn, kind, time, asked, payload };
      if (kind === 'chunk') {
        record.text = Array.from(bytes.subarray(at, at + payload), (byte) => String.fromCharCode(byte)).join('');
        at += payload;
      }
      records.push(record);
    }
    return records;
  });
};

globalThis.clearJournal = async () => {
  const transaction = (await db).transaction('batches', 'readwrite');
  await whole(transaction.objectStore('batches').clear());
};
