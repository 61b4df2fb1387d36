/** Reading a journal: bytes of a connection, and all records in their original order. */
import type { CaptureRecord, RequestBody } from '../capture/types.ts';
import { journalOrder, type Ordered, type Source } from '../session/order.ts';
import type { JournalDb, StoredHead } from './journal-db.ts';

const HEADS_A_PAGE = 500;

/** `length` bytes of a connection's byte stream from `offset` on; null if the journal does not hold all of them. */
export async function readBytesFrom(db: JournalDb, conn: number, offset: number, length: number): Promise<Uint8Array | null> {
  const store = db.transaction('records').store;
  const before = await store.openKeyCursor(IDBKeyRange.bound([conn, 0], [conn, offset]), 'prev');
  if (!before) return null;
  const batches = await store.getAll(IDBKeyRange.bound(before.key, [conn, Math.max(offset, offset + length - 1)]));
  const bytes = new Uint8Array(length);
  let have = 0;
  for (const batch of batches) {
    const skip = offset + have - batch.offset;
    if (skip < 0) return null;
    const part = batch.bytes.subarray(skip, skip + length - have);
    bytes.set(part, have);
    have += part.length;
  }
  return have === length ? bytes : null;
}

/** Every record with an ordinal of at least `from`, in order. Streams: only batches that overlap in time are in memory at once. */
export async function* readOrdered(db: JournalDb, from = 0): AsyncGenerator<Ordered & { readonly key?: string }> {
  const sources = [...(await headSources(db, from)), ...(await batchSources(db, from))];
  yield* journalOrder(sources, from);
}

async function headSources(db: JournalDb, from: number): Promise<Source[]> {
  const keys = await db.getAllKeys('heads', IDBKeyRange.lowerBound(from));
  const sources: Source[] = [];
  for (let at = 0; at < keys.length; at += HEADS_A_PAGE) {
    const first = keys[at] ?? 0;
    const last = keys[Math.min(at + HEADS_A_PAGE, keys.length) - 1] ?? first;
    sources.push({ first, load: () => db.getAll('heads', IDBKeyRange.bound(first, last)) });
  }
  return sources;
}

async function batchSources(db: JournalDb, from: number): Promise<Source[]> {
  const sources: Source[] = [];
  let cursor = await db
    .transaction('records')
    .store.index('order')
    .openKeyCursor(IDBKeyRange.lowerBound([from]));
  while (cursor) {
    const { primaryKey } = cursor;
    sources.push({ first: cursor.key[1], load: async () => (await db.get('records', primaryKey)) ?? null });
    cursor = await cursor.continue();
  }
  return sources;
}

/** The request body of a connection, with its text. */
export async function readRequestBody(db: JournalDb, conn: number): Promise<RequestBody | null> {
  const heads = await db.getAllFromIndex('heads', 'conn', conn);
  return heads.reduce<RequestBody | null>((body, head) => bodyOf(head) ?? body, null);
}

function bodyOf({ record }: StoredHead): RequestBody | null {
  if (record.kind === 'body') return record.body;
  return record.kind === 'request' ? (record.request.body ?? null) : null;
}

/** Records alone. */
export async function* recordsOf(db: JournalDb): AsyncGenerator<CaptureRecord> {
  for await (const { record } of readOrdered(db)) yield record;
}
