// The journal of the page specs, used by the worker that writes it and by the extension page the specs read it from.
const opening = indexedDB.open('journal', 1);
opening.onupgradeneeded = () => {
  opening.result.createObjectStore('batches');
  opening.result.createObjectStore('facts');
};

const whole = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const db = whole(opening);

const done = (transaction) =>
  new Promise((resolve) => {
    transaction.oncomplete = transaction.onabort = resolve;
  });

/** Journals a message's batches; answers whether to hold the acknowledgement back. */
async function write(message, life) {
  const transaction = (await db).transaction(['batches', 'facts'], 'readwrite');
  const [batches, facts] = ['batches', 'facts'].map((name) => transaction.objectStore(name));
  for (const batch of message.batches) {
    // a batch that is there stays: the relay sends again what was not acknowledged
    batches.add({ ...batch, url: message.url, lost: message.lost }, [message.doc, batch.no]).onerror = (event) => {
      event.preventDefault();
      event.stopPropagation();
    };
  }
  const [messages, lives, hold] = await Promise.all(['messages', 'lives', 'hold'].map((name) => whole(facts.get(name))));
  facts.put((messages ?? 0) + 1, 'messages');
  facts.put([...new Set([...(lives ?? []), life])], 'lives');
  await done(transaction);
  return hold ?? false;
}

/** Every journaled record in order; a chunk's bytes are in `text`, as Latin-1. */
async function journal() {
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
}

/** Bytes journaled, and bytes told as lost. */
async function total() {
  const batches = await whole((await db).transaction('batches').objectStore('batches').getAll());
  return batches.reduce(
    (sum, { meta, bytes }) => meta.reduce((lost, kind, i) => (i % 5 === 1 && kind === 'lost' ? lost + meta[i + 3].bytes : lost), sum + bytes.byteLength),
    0,
  );
}

/** What the worker keeps beside the batches. */
async function fact(name) {
  return whole((await db).transaction('facts').objectStore('facts').get(name));
}

/** Empties the journal and its facts, and sets whether acknowledgements are held back. */
async function clearJournal(hold = false) {
  const transaction = (await db).transaction(['batches', 'facts'], 'readwrite');
  for (const name of ['batches', 'facts']) transaction.objectStore(name).clear();
  transaction.objectStore('facts').put(hold, 'hold');
  await done(transaction);
}

Object.assign(globalThis, { write, journal, total, fact, clearJournal });
