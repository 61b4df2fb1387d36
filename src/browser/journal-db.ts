/**
 * The journal's databases: one per session, each in a storage bucket of its own where the browser has buckets, because deleting a
 * bucket frees the disk at once while a deleted database keeps it until the next start. Names carry the id of the browser session,
 * so what an earlier one left behind can be told and deleted.
 */
import { type DBSchema, type IDBPDatabase, wrap } from 'idb';
import type { ChunkBatch, Head } from '../session/order.ts';
import type { SessionId } from '../wire/worker-to-panel.ts';

/** `first` and `last` are the ordinals of its first and last chunk. */
export interface StoredBatch extends ChunkBatch {
  readonly first: number;
  readonly last: number;
}

/** `key` names the page's connection that a request began, so that later records of the page find it after a restart. */
export interface StoredHead extends Head {
  readonly key?: string;
}

export interface JournalSchema extends DBSchema {
  records: { key: [conn: number, offset: number]; value: StoredBatch; indexes: { order: [last: number, first: number] } };
  heads: { key: number; value: StoredHead; indexes: { conn: number } };
  /** Last batch journaled of each document. */
  marks: { key: string; value: { readonly doc: string; readonly no: number } };
  checkpoints: { key: string; value: unknown };
  sessions: { key: string; value: unknown };
}

export type JournalDb = IDBPDatabase<JournalSchema>;

interface Bucket {
  readonly indexedDB: IDBFactory;
}

interface Buckets {
  open: (name: string) => Promise<Bucket>;
  keys: () => Promise<string[]>;
  delete: (name: string) => Promise<void>;
}

const PREFIX = 'runlens-';
const DATABASE = 'journal';

/** Of the browser session: bucket names allow lower-case letters, digits, `-` and `_` only. */
function nameOf(browserSession: string, session: SessionId): string {
  return `${PREFIX}${browserSession}-${session.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`.slice(0, 64);
}

/** Opens a session's journal, making it if need be. `onGone` is called when it was deleted or closed under our hands. Rejects when storage is refused. */
export async function openJournalDb(browserSession: string, session: SessionId, onGone: () => void): Promise<JournalDb> {
  const name = nameOf(browserSession, session);
  const buckets = storageBuckets();
  const request = buckets ? (await buckets.open(name)).indexedDB.open(DATABASE, 1) : indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => createStores(request.result));
  const db = (await wrap(request)) as unknown as JournalDb;
  db.addEventListener('versionchange', () => {
    db.close();
    onGone();
  });
  db.addEventListener('close', onGone);
  return db;
}

/** Whether there is a journal of that session. */
export async function hasJournal(browserSession: string, session: SessionId): Promise<boolean> {
  return (await journalNames()).includes(nameOf(browserSession, session));
}

/** Deletes a session's journal. Open connections to it are closed by their `onGone`. */
export async function deleteJournal(browserSession: string, session: SessionId): Promise<void> {
  await deleteNamed(nameOf(browserSession, session));
}

/** Deletes the journals of every other browser session. */
export async function sweepJournals(browserSession: string): Promise<void> {
  const stale = (await journalNames()).filter((name) => name.startsWith(PREFIX) && !name.startsWith(`${PREFIX}${browserSession}-`));
  await Promise.all(stale.map(deleteNamed));
}

async function journalNames(): Promise<string[]> {
  return (await storageBuckets()?.keys()) ?? (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
}

async function deleteNamed(name: string): Promise<void> {
  const buckets = storageBuckets();
  if (buckets) await buckets.delete(name);
  else await wrap(indexedDB.deleteDatabase(name));
}

function createStores(db: IDBDatabase): void {
  db.createObjectStore('records', { keyPath: ['conn', 'offset'] }).createIndex('order', ['last', 'first']);
  db.createObjectStore('heads', { keyPath: 'ordinal' }).createIndex('conn', 'record.conn');
  db.createObjectStore('marks', { keyPath: 'doc' });
  db.createObjectStore('checkpoints');
  db.createObjectStore('sessions');
}

function storageBuckets(): Buckets | null {
  return (globalThis.navigator as { storageBuckets?: Buckets } | undefined)?.storageBuckets ?? null;
}
