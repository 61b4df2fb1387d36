/**
 * Writing a journal. One transaction is in flight at a time; whatever is added meanwhile goes into the next, so the cost does not
 * depend on how small the pieces come. Chunks of a connection are merged into records of up to 60 KiB: a tail that still grows is
 * put again under its key, a full one is sealed.
 */
import type { CaptureRecord } from '../capture/types.ts';
import type { JournalDb, StoredBatch, StoredHead } from './journal-db.ts';

/** Ms between two transactions unless somebody cannot wait for the second: each puts a growing tail again. */
const BREATH = 100;
/** Bytes that do not wait that long: until they are journaled the page holds them too. */
const PLENTY = 256 * 1024;
/** From 64 KiB on a value costs a file of its own. */
const SEAL_BYTES = 60 * 1024;

export interface JournalWriter {
  /** Adds a record. `key` is kept with a request; `offset` is where a chunk lies in its connection's bytes. */
  add: (ordinal: number, record: CaptureRecord, place: { readonly key?: string; readonly offset?: number }) => void;
  mark: (doc: string, no: number) => void;
  /** Small facts about the session; the last value before a commit is kept. */
  keep: (state: unknown) => void;
  /** Asks for a checkpoint: `make` is called when the transaction begins, and must answer the state after everything added until then. */
  checkpoint: (make: () => unknown) => void;
  /** Resolves when all that was added so far is committed, or given up (then `onTrouble` told so). Hurries nothing. */
  written: () => Promise<void>;
  /** The same as soon as may be. */
  flushed: () => Promise<void>;
  /** Forgets what waits and, when the transaction in flight is done, resolves; meanwhile nothing new is written. */
  clear: (remove: () => Promise<void>) => Promise<void>;
}

interface Tail {
  readonly conn: number;
  readonly offset: number;
  bytes: Uint8Array;
  used: number;
  readonly lengths: number[];
  readonly came: number[];
  readonly asked: number[];
  readonly ordinals: number[];
}

interface Job {
  readonly sealed: StoredBatch[];
  readonly dirty: Set<Tail>;
  readonly heads: StoredHead[];
  readonly marks: Map<string, number>;
  state: unknown;
  checkpoint: (() => unknown) | null;
  readonly done: Promise<void>;
  readonly resolve: () => void;
}

export interface WriterOptions {
  /** Opens the database; called again after a failure. */
  readonly open: () => Promise<JournalDb>;
  /** Told once for each transaction that could not be written even at the second try. */
  readonly onTrouble: (sentence: string) => void;
}

export function createJournalWriter({ open, onTrouble }: WriterOptions): JournalWriter {
  const tails = new Map<number, Tail>();
  let job: Job | null = null;
  let pumping = false;
  let writing: Promise<Job | null> | null = null;
  let inFlight: Job | null = null;
  let removal: Promise<void> | null = null;
  /** Bytes of chunks added since the last transaction began. */
  let waiting = 0;
  /** When the last transaction was done, ms as of performance.now(). */
  let ended = Number.NEGATIVE_INFINITY;
  /** Somebody cannot wait for what was added last; and ends the pause there is. */
  let urgent = false;
  let hurry: () => void = () => undefined;

  const breathe = (): Promise<void> =>
    new Promise((resolve) => {
      const rest = BREATH - (performance.now() - ended);
      if (urgent || rest <= 0) resolve();
      else {
        const timer = setTimeout(resolve, rest);
        hurry = () => {
          clearTimeout(timer);
          resolve();
        };
      }
    });

  const pending = (): Job => {
    job ??= createJob();
    if (!pumping) void pump();
    return job;
  };

  async function pump(): Promise<void> {
    pumping = true;
    while (job) {
      if (removal) await removal;
      else {
        await breathe();
        writing = writeNext();
        (await writing)?.resolve();
        writing = null;
        inFlight = null;
        ended = performance.now();
      }
    }
    pumping = false;
  }

  /** Writes what waits at the moment the database is open, trying twice, and answers it; null when a removal came first. */
  async function writeNext(): Promise<Job | null> {
    let taken: Job | null = null;
    for (let attempt = 1; attempt <= 2; attempt++) {
      try {
        const db = await open();
        if (!taken && removal) return null;
        taken ??= takeJob();
        if (taken) await write(db, taken, onTrouble);
        return taken;
      } catch (error) {
        if (attempt === 2)
          onTrouble(`The journal could not be written (${textOf(error)}). What came since is shown, but is gone when the extension's worker stops.`);
      }
    }
    return taken ?? (removal ? null : takeJob());
  }

  function takeJob(): Job | null {
    const taken = job;
    job = null;
    waiting = 0;
    urgent = false;
    inFlight = taken;
    return taken;
  }

  const hasten = (): void => {
    urgent = job !== null;
    hurry();
  };

  const written = (): Promise<void> => job?.done ?? inFlight?.done ?? Promise.resolve();

  const addChunk = (ordinal: number, chunk: Extract<CaptureRecord, { kind: 'chunk' }>, offset: number): void => {
    const { conn, bytes } = chunk;
    let tail = tails.get(conn);
    if (tail && tail.used + bytes.length > SEAL_BYTES) {
      seal(pending(), tail);
      tail = undefined;
    }
    if (!tail) {
      tail = { conn, offset, bytes: new Uint8Array(Math.max(bytes.length, 1024)), used: 0, lengths: [], came: [], asked: [], ordinals: [] };
      tails.set(conn, tail);
    }
    append(tail, chunk, ordinal);
    pending().dirty.add(tail);
    waiting += bytes.length;
    if (waiting > PLENTY) hasten();
  };

  return {
    add: (ordinal, record, { key, offset }) => {
      if (record.kind === 'chunk') {
        addChunk(ordinal, record, offset ?? 0);
        return;
      }
      pending().heads.push(key === undefined ? { ordinal, record } : { ordinal, record, key });
      if (record.kind !== 'end') return;
      const tail = tails.get(record.conn);
      if (tail) seal(pending(), tail);
      tails.delete(record.conn);
    },
    mark: (doc, no) => {
      pending().marks.set(doc, no);
    },
    keep: (state) => {
      pending().state = state;
    },
    checkpoint: (make) => {
      pending().checkpoint = make;
    },
    written,
    flushed: () => {
      hasten();
      return written();
    },
    clear: async (remove) => {
      const dropped = job;
      job = null;
      waiting = 0;
      tails.clear();
      hurry();
      const before = removal ?? writing;
      const mine = (async () => {
        await before;
        await remove();
      })();
      const settled = mine.catch(() => undefined);
      removal = settled;
      try {
        await mine;
      } finally {
        if (removal === settled) removal = null;
        dropped?.resolve();
      }
    },
  };
}

function createJob(): Job {
  const { promise, resolve } = withResolvers();
  return { sealed: [], dirty: new Set(), heads: [], marks: new Map(), state: undefined, checkpoint: null, done: promise, resolve };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Puts a job in one transaction. The puts are made in one go, so that the checkpoint matches the records. */
async function write(db: JournalDb, job: Job, onTrouble: (sentence: string) => void): Promise<void> {
  const tx = db.transaction(['records', 'heads', 'marks', 'checkpoints', 'sessions'], 'readwrite', { durability: 'relaxed' });
  const done = tx.done;
  done.catch(() => undefined);
  const puts: Promise<unknown>[] = [];
  for (const batch of job.sealed) puts.push(tx.objectStore('records').put(batch));
  for (const tail of job.dirty) puts.push(tx.objectStore('records').put(batchOf(tail)));
  for (const head of job.heads) puts.push(tx.objectStore('heads').put(head));
  for (const [doc, no] of job.marks) puts.push(tx.objectStore('marks').put({ doc, no }));
  if (job.state !== undefined) puts.push(tx.objectStore('sessions').put(job.state, 'state'));
  if (job.checkpoint) {
    try {
      puts.push(tx.objectStore('checkpoints').put(job.checkpoint(), 'last'));
    } catch (error) {
      onTrouble(`The session could not be saved (${textOf(error)}); after a restart it is read anew from the journal.`);
    }
    job.checkpoint = null;
  }
  for (const put of puts) put.catch(() => undefined);
  tx.commit();
  await done;
}

function seal(job: Job, tail: Tail): void {
  job.dirty.delete(tail);
  job.sealed.push(batchOf(tail));
}

function append(tail: Tail, chunk: Extract<CaptureRecord, { kind: 'chunk' }>, ordinal: number): void {
  const used = tail.used + chunk.bytes.length;
  if (used > tail.bytes.length) {
    const bytes = new Uint8Array(Math.max(used, Math.min(tail.bytes.length * 2, SEAL_BYTES)));
    bytes.set(tail.bytes.subarray(0, tail.used));
    tail.bytes = bytes;
  }
  tail.bytes.set(chunk.bytes, tail.used);
  tail.used = used;
  tail.lengths.push(chunk.bytes.length);
  tail.came.push(chunk.came);
  tail.asked.push(chunk.asked);
  tail.ordinals.push(ordinal);
}

function batchOf(tail: Tail): StoredBatch {
  return {
    conn: tail.conn,
    offset: tail.offset,
    first: tail.ordinals[0] ?? 0,
    last: tail.ordinals[tail.ordinals.length - 1] ?? 0,
    lengths: Uint32Array.from(tail.lengths),
    came: Float64Array.from(tail.came),
    asked: Float64Array.from(tail.asked),
    ordinals: Float64Array.from(tail.ordinals),
    bytes: tail.bytes.slice(0, tail.used),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
