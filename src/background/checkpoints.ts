/** Saving a session beside its journal, and taking it up again: a restarted worker folds only what came after the checkpoint. */
import { readOrdered } from '../browser/journal-read.ts';
import { createColumns, FIRST_CAPACITY } from '../session/columns.ts';
import { addRecord, createSession, type Session } from '../session/index.ts';
import { keepParts, packParts } from '../wire/pack-rows.ts';
import { type PackedRows, unpackRows } from '../wire/packed-rows.ts';
import { isCaptureRecord } from '../wire/panel-message.ts';
import type { Known } from './environment.ts';
import type { Live, PageState } from './live.ts';

interface Checkpoint {
  readonly version: string;
  readonly session: Omit<Session, 'rows'>;
  readonly rows: readonly PackedRows[];
  readonly nextOrdinal: number;
  readonly nextConn: number;
  readonly keys: Map<string, number>;
}

/** A checkpoint costs what the session holds: so it may come only when the session has grown by a share of that. */
const LEAST_ROWS = 5_000;
const SHARE = 0.1;
/** At a connection's end there is likely to be a quiet while. */
const LEAST_ROWS_AT_END = 200;
const SHARE_AT_END = 0.05;

export function checkpointDue(live: Live): boolean {
  const { count } = live.session.rows;
  const grown = count - live.saved.rows;
  return grown >= Math.max(LEAST_ROWS, count * SHARE) || (live.saved.ended && grown >= Math.max(LEAST_ROWS_AT_END, count * SHARE_AT_END));
}

/** The saved form; it shares the live state and is to be cloned at once, which IndexedDB does. Its rows are packed: a quarter of what is to be written. */
export function makeCheckpoint({ env, session: { rows, ...session }, nextOrdinal, nextConn, keys }: Live): Checkpoint {
  return { version: env.version, session, rows: [...packParts(rows, rows.count)], nextOrdinal, nextConn, keys };
}

/** How sessions are folded under what is set. */
export function sessionOptions({ rules, limits }: Known): Session['options'] {
  return { rules, maxFrame: limits.frame };
}

/**
 * Fills a fresh live session from its journal: the checkpoint, then what came after it. What is no state of this version's (junk, or
 * saved before an update) is left alone, and the journal is folded from its beginning. Rejects when the journal cannot be read.
 */
export async function restore(live: Live): Promise<void> {
  const db = await live.env.openJournal(live.id);
  const [page, saved, marks] = await Promise.all([db.get('sessions', 'state'), db.get('checkpoints', 'last'), db.getAll('marks')]);
  if (isPageState(page)) live.page = page;
  for (const { doc, no } of marks) live.marks.set(doc, no);
  const checkpoint = isCheckpoint(saved, live.env.version) ? saved : null;
  if (checkpoint && isSame(checkpoint.session.options, sessionOptions(live.known))) {
    live.session = { ...checkpoint.session, rows: unpacked(checkpoint.rows) };
    live.nextOrdinal = checkpoint.nextOrdinal;
    live.nextConn = checkpoint.nextConn;
    live.keys = checkpoint.keys;
    live.saved = { rows: live.session.rows.count, ended: false };
  }
  await replay(live);
}

/** Judges everything anew under other rules or limits, from the journal. */
export async function refold(live: Live): Promise<void> {
  await live.writer.flushed();
  live.session = createSession(sessionOptions(live.known));
  live.nextOrdinal = 0;
  live.saved = { rows: 0, ended: true };
  await replay(live);
}

async function replay(live: Live): Promise<void> {
  const db = await live.env.openJournal(live.id);
  for await (const { ordinal, record, key } of readOrdered(db, live.nextOrdinal)) {
    live.nextOrdinal = ordinal + 1;
    // chunks are whole by how they are stored; a head is as good as the disk is
    if (record?.kind !== 'chunk' && !isCaptureRecord(record)) continue;
    addRecord(live.session, record);
    if (record.kind !== 'request') continue;
    live.nextConn = Math.max(live.nextConn, record.conn + 1);
    if (key !== undefined) live.keys.set(key, record.conn);
  }
}

/** Columns of saved rows, with some room for those that follow. */
function unpacked(parts: readonly PackedRows[]): Session['rows'] {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const rows = createColumns(Math.max(FIRST_CAPACITY, Math.ceil(count * 1.25)));
  for (const part of parts) unpackRows(part, rows);
  keepParts(rows, parts);
  rows.count = count;
  return rows;
}

function isSame({ rules: a = {}, maxFrame }: Session['options'], { rules: b = {}, maxFrame: most }: Session['options']): boolean {
  if (maxFrame !== most) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

function isCheckpoint(saved: unknown, version: string): saved is Checkpoint {
  const { session, rows, keys, ...rest } = (saved ?? {}) as Partial<Checkpoint>;
  return (
    rest.version === version &&
    Number.isSafeInteger(rest.nextOrdinal) &&
    Number.isSafeInteger(rest.nextConn) &&
    keys instanceof Map &&
    Array.isArray(rows) &&
    typeof session === 'object'
  );
}

function isPageState(page: unknown): page is PageState {
  const { epoch, recording, preserve, url, doc, docTime, retired, navigations, dropped } = (page ?? {}) as Partial<PageState>;
  const isNullOr = (value: unknown, type: string) => value === null || typeof value === type;
  return (
    typeof epoch === 'string' &&
    typeof recording === 'boolean' &&
    typeof preserve === 'boolean' &&
    isNullOr(url, 'string') &&
    isNullOr(doc, 'string') &&
    isNullOr(docTime, 'number') &&
    [retired, navigations, dropped].every(Array.isArray)
  );
}
