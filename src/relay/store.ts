/**
 * Batches between hook and journal: kept in order until the worker has journaled them, sent again after a reconnect, and cut down
 * to their records without bytes where they outgrow the cap. Knows neither port nor page. `createStore` is long because its functions
 * share one state, as plain closures.
 */
import { batchSize, coveredBy, withoutBytes } from '../wire/page-batch.ts';
import type { PageBatch } from '../wire/page-to-relay.ts';

/** What a document may hold here. */
const LIMIT = 64 << 20;
/** A message may not pass 64 MiB serialised; what is packed with it leaves in good time. */
const MESSAGE_SIZE = 8 << 20;
const MESSAGE_BATCHES = 64;

interface Entry {
  batch: PageBatch;
  size: number;
  stripped: boolean;
}

/** Sums over what was dropped whole. */
export interface Dropped {
  bytes: number;
  chunks: number;
  batches: number;
}

export interface Store {
  /** Takes a batch in, unless it came before. */
  add(batch: PageBatch): boolean;
  /** Everything up to this number is journaled. */
  ack(no: number): void;
  /** The next batches not yet sent on this connection, for one message, and what was dropped before them; undefined when none waits. */
  next(): { batches: PageBatch[]; lost?: Dropped } | undefined;
  /** The connection is gone: everything unacknowledged is to be sent again. */
  rewind(): void;
  /** Batches not yet sent on this connection. */
  waiting(): number;
  /** Batches not yet acknowledged. */
  size(): number;
  clear(): void;
}

export function createStore(limit = LIMIT): Store {
  let entries: Entry[] = [];
  let bytes = 0;
  let sent = 0;
  let top = 0;
  let lost: Dropped | undefined;

  const strip = (entry: Entry) => {
    bytes -= entry.size;
    entry.batch = withoutBytes(entry.batch, 'the extension did not take them in time');
    entry.size = batchSize(entry.batch);
    entry.stripped = true;
    bytes += entry.size;
  };
  const dropOldest = () => {
    const entry = entries.shift();
    if (!entry) return;
    bytes -= entry.size;
    if (sent > 0) sent -= 1;
    lost ??= { bytes: 0, chunks: 0, batches: 0 };
    const { bytes: gone, chunks } = coveredBy(entry.batch);
    lost.bytes += gone;
    lost.chunks += chunks;
    lost.batches += 1;
  };
  // the oldest bytes go first; only when no bytes are left do whole batches go
  const makeRoom = () => {
    for (const entry of entries) {
      if (bytes <= limit) return;
      if (!entry.stripped) strip(entry);
    }
    while (bytes > limit && entries.length) dropOldest();
  };

  return {
    add(batch) {
      if (batch.no <= top) return false;
      top = batch.no;
      const size = batchSize(batch);
      entries.push({ batch, size, stripped: false });
      bytes += size;
      if (bytes > limit) makeRoom();
      return true;
    },
    ack(no) {
      const first = entries.findIndex((entry) => entry.batch.no > no);
      const count = first < 0 ? entries.length : first;
      for (const entry of entries.splice(0, count)) bytes -= entry.size;
      sent = Math.max(0, sent - count);
    },
    next() {
      const batches: PageBatch[] = [];
      let size = 0;
      while (sent < entries.length && batches.length < MESSAGE_BATCHES) {
        const entry = entries[sent] as Entry;
        if (batches.length && size + entry.size > MESSAGE_SIZE) break;
        batches.push(entry.batch);
        size += entry.size;
        sent += 1;
      }
      if (!batches.length) return undefined;
      const dropped = lost;
      lost = undefined;
      return dropped ? { batches, lost: dropped } : { batches };
    },
    rewind() {
      sent = 0;
    },
    waiting: () => entries.length - sent,
    size: () => entries.length,
    clear() {
      entries = [];
      bytes = sent = 0;
      lost = undefined;
    },
  };
}
