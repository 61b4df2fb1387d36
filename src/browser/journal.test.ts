import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { deleteJournal, type JournalDb, openJournalDb, sweepJournals } from './journal-db.ts';
import { createJournalHandles, createJournalReader } from './journal-open.ts';
import { readBytesFrom, readOrdered, readRequestBody } from './journal-read.ts';
import { createJournalWriter } from './journal-write.ts';

const SESSION = 'tab:7';
const browserSession = async () => 'b1';
const troubles: string[] = [];

function openWriter() {
  const handles = createJournalHandles(browserSession);
  const open = () => handles.open(SESSION);
  return { handles, open, writer: createJournalWriter({ open, onTrouble: (sentence) => troubles.push(sentence) }) };
}

const chunk = (conn: number, no: number, length: number): CaptureRecord => ({
  kind: 'chunk',
  conn,
  asked: no,
  came: no + 0.5,
  bytes: Uint8Array.from({ length }, (_, at) => (no * 31 + at) & 255),
});

const request = (conn: number): CaptureRecord => ({
  kind: 'request',
  conn,
  carrier: 'fetch',
  document: null,
  request: { url: 'http://x/', method: 'POST', time: 1 },
});
const end = (conn: number): CaptureRecord => ({ kind: 'end', conn, end: { time: 9, how: 'complete' } });

/** Adds records as the worker does, with running ordinals and offsets. */
function add(writer: ReturnType<typeof openWriter>['writer'], records: readonly CaptureRecord[], from = 0, offsets = new Map<number, number>()) {
  records.forEach((record, no) => {
    const offset = offsets.get(record.conn) ?? 0;
    writer.add(from + no, record, { offset, ...(record.kind === 'request' ? { key: `doc/${record.conn}` } : {}) });
    if (record.kind === 'chunk') offsets.set(record.conn, offset + record.bytes.length);
  });
}

async function readAll(db: JournalDb, from = 0) {
  const all = [];
  for await (const ordered of readOrdered(db, from)) all.push(ordered);
  return all;
}

function joined(records: readonly CaptureRecord[], conn: number): number[] {
  return records.flatMap((record) => (record.kind === 'chunk' && record.conn === conn ? [...record.bytes] : []));
}

afterEach(async () => {
  vi.useRealTimers();
  troubles.length = 0;
  await deleteJournal('b1', SESSION);
});

describe('the journal', () => {
  it('gives all records back in their original order, from any ordinal', async () => {
    const { writer, open } = openWriter();
    const records = [
      request(0),
      chunk(0, 1, 40_000),
      request(1),
      chunk(1, 2, 10),
      chunk(0, 3, 40_000),
      chunk(1, 4, 20),
      end(0),
      chunk(1, 5, 70_000),
      chunk(1, 6, 5),
      end(1),
    ];
    add(writer, records);
    await writer.flushed();
    const all = await readAll(await open());
    expect(all.map(({ record }) => record)).toEqual(records);
    expect(all.map(({ ordinal }) => ordinal)).toEqual(records.map((_, no) => no));
    expect(all[0]?.key).toBe('doc/0');
    expect((await readAll(await open(), 5)).map(({ record }) => record)).toEqual(records.slice(5));
    expect(troubles).toEqual([]);
  });

  it('merges small chunks into records of at most 60 KiB, also over many transactions', async () => {
    const { writer, open } = openWriter();
    const offsets = new Map<number, number>();
    const records: CaptureRecord[] = [];
    for (let no = 0; no < 300; no++) {
      const one = [chunk(0, no, 1_000)];
      add(writer, one, no, offsets);
      records.push(...one);
      if (no % 10 === 0) await writer.flushed();
    }
    await writer.flushed();
    const db = await open();
    const stored = await db.getAll('records');
    expect(stored.map(({ bytes }) => bytes.length)).toEqual([61_000, 61_000, 61_000, 61_000, 56_000]);
    expect((await readAll(db)).map(({ record }) => record)).toEqual(records);
  });

  it('gathers what comes soon after a transaction into the next one, unless somebody is in a hurry or there is plenty', async () => {
    // no time passes but what the test lets pass
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const handles = createJournalHandles(browserSession);
    let transactions = 0;
    const open = async () => {
      transactions++;
      return handles.open(SESSION);
    };
    const writer = createJournalWriter({ open, onTrouble: (sentence) => troubles.push(sentence) });
    const offsets = new Map<number, number>();
    let no = 0;
    const put = (length: number) => add(writer, [chunk(0, no, length)], no++, offsets);
    put(10);
    await writer.written();
    expect(transactions, 'the first waits for nothing').toBe(1);
    let committed = 0;
    for (let piece = 0; piece < 10; piece++) {
      put(10);
      void writer.written().then(() => committed++);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([transactions, committed]).toEqual([1, 0]);
    vi.advanceTimersByTime(100);
    await writer.written();
    expect([transactions, committed], 'ten pieces, one transaction').toEqual([2, 10]);
    put(10);
    await writer.flushed();
    expect(transactions, 'a hurry').toBe(3);
    for (let piece = 0; piece < 6; piece++) put(50_000);
    await writer.written();
    expect(transactions, 'plenty').toBe(4);
    expect(await readAll(await handles.open(SESSION))).toHaveLength(no);
  });

  it('reads any stretch of bytes, and answers null for bytes it does not hold', async () => {
    const { writer, open } = openWriter();
    const records = [chunk(3, 1, 50_000), chunk(4, 2, 50_000), chunk(3, 3, 50_000), chunk(3, 4, 100_000)];
    add(writer, records);
    await writer.flushed();
    const db = await open();
    const whole = joined(records, 3);
    for (const [offset, length] of [
      [0, 10],
      [49_990, 20],
      [0, 200_000],
      [99_999, 2],
      [150_000, 50_000],
      [199_999, 1],
      [5, 0],
    ] as const) {
      expect([...((await readBytesFrom(db, 3, offset, length)) ?? [-1])]).toEqual(whole.slice(offset, offset + length));
    }
    expect(await readBytesFrom(db, 3, 199_999, 2)).toBeNull();
    expect(await readBytesFrom(db, 9, 0, 1)).toBeNull();
  });

  it('goes on after a restart without touching what is there', async () => {
    const first = openWriter();
    const offsets = new Map<number, number>();
    const [before, after] = [
      [request(0), chunk(0, 1, 100)],
      [chunk(0, 2, 50), end(0)],
    ];
    add(first.writer, before, 0, offsets);
    await first.writer.flushed();
    const second = openWriter();
    add(second.writer, after, 2, offsets);
    await second.writer.flushed();
    const db = await second.open();
    expect((await readAll(db)).map(({ record }) => record)).toEqual([...before, ...after]);
    expect([...((await readBytesFrom(db, 0, 0, 150)) ?? [])]).toEqual(joined([...before, ...after], 0));
  });

  it('keeps marks, state and checkpoint in the transaction of their records', async () => {
    const { writer, open } = openWriter();
    add(writer, [request(0)]);
    writer.mark('doc', 1);
    writer.keep({ recording: true });
    let made = 0;
    writer.checkpoint(() => ({ made: ++made }));
    add(writer, [chunk(0, 1, 3)], 1);
    writer.mark('doc', 2);
    await writer.flushed();
    const db = await open();
    expect(await db.getAll('marks')).toEqual([{ doc: 'doc', no: 2 }]);
    expect(await db.get('sessions', 'state')).toEqual({ recording: true });
    expect(await db.get('checkpoints', 'last')).toEqual({ made: 1 });
  });

  it('writes its records even when a checkpoint cannot be cloned, and tells', async () => {
    const { writer, open } = openWriter();
    add(writer, [request(0)]);
    writer.checkpoint(() => ({ bad: () => undefined }));
    await writer.flushed();
    expect(await readAll(await open())).toHaveLength(1);
    expect(troubles[0]).toMatch(/could not be saved/);
  });

  it('tries again with a new handle, then gives up aloud and goes on', async () => {
    let refuse = 1;
    const handles = createJournalHandles(browserSession);
    const open = async () => {
      if (refuse-- > 0) throw new Error('disk is full');
      return handles.open(SESSION);
    };
    const writer = createJournalWriter({ open, onTrouble: (sentence) => troubles.push(sentence) });
    add(writer, [request(0)]);
    await writer.flushed();
    expect(troubles).toEqual([]);
    refuse = 2;
    add(writer, [request(1)], 1);
    await writer.flushed();
    expect(troubles).toEqual([expect.stringMatching(/could not be written \(Error: disk is full\)/)]);
    add(writer, [request(2)], 2);
    await writer.flushed();
    expect((await readAll(await handles.open(SESSION))).map(({ ordinal }) => ordinal)).toEqual([0, 2]);
  });

  it('clear forgets the old and keeps what comes meanwhile', async () => {
    const { writer, open, handles } = openWriter();
    add(writer, [request(0), chunk(0, 1, 10)]);
    await writer.flushed();
    add(writer, [chunk(0, 2, 10)], 2);
    const waiting = writer.flushed();
    const cleared = writer.clear(async () => {
      handles.close(SESSION);
      await deleteJournal('b1', SESSION);
    });
    add(writer, [request(5)]);
    await Promise.all([waiting, cleared]);
    await writer.flushed();
    expect((await readAll(await open())).map(({ record }) => record)).toEqual([request(5)]);
  });

  it('finds the request body wherever it was recorded', async () => {
    const { writer, open } = openWriter();
    const body = { kind: 'text', text: '{}' } as const;
    add(writer, [request(0), { kind: 'body', conn: 0, body }, request(1)]);
    await writer.flushed();
    expect(await readRequestBody(await open(), 0)).toEqual(body);
    expect(await readRequestBody(await open(), 1)).toBeNull();
  });

  it('is found again by a reader after it was deleted under it', async () => {
    const reader = createJournalReader(browserSession);
    const { writer, handles } = openWriter();
    add(writer, [chunk(0, 1, 10)]);
    await writer.flushed();
    expect(await reader.readBytes(SESSION, 0, 0, 10)).toHaveLength(10);
    await writer.clear(async () => {
      handles.close(SESSION);
      await deleteJournal('b1', SESSION);
    });
    expect(await reader.readBytes(SESSION, 0, 0, 10)).toBeNull();
    add(writer, [chunk(0, 2, 4)]);
    await writer.flushed();
    expect(await reader.readBytes(SESSION, 0, 0, 4)).toEqual((chunk(0, 2, 4) as { bytes: Uint8Array }).bytes);
    const records = [];
    for await (const record of reader.readRecords(SESSION)) records.push(record);
    expect(records).toEqual([chunk(0, 2, 4)]);
  });

  it('sweeps the journals of other browser sessions only', async () => {
    for (const [browserId, session] of [
      ['old', 'tab:1'],
      ['b1', SESSION],
    ] as const)
      (await openJournalDb(browserId, session, () => undefined)).close();
    await sweepJournals('b1');
    expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['runlens-b1-tab-7']);
  });
});
