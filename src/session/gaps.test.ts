/** What is lost, comes in another order or is over a limit: the rest is read as far as it can be, and nothing is held against the stream. */
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { addRecord, createSession, everything } from './index.ts';
import type { SessionOptions } from './state.ts';
import { encode, exchange, goodRun, sseOf } from './testkit.ts';

function fold(records: readonly CaptureRecord[], options: SessionOptions = {}) {
  const session = createSession(options);
  for (const record of records) addRecord(session, record);
  const { findings, connections, rows } = everything(session);
  return { rules: findings.map(({ rule }) => rule), findings, connection: connections[0]!, rows: rows?.count ?? 0, flags: [...(rows?.flags ?? [])], session };
}

const gap: CaptureRecord = { kind: 'gap', conn: 0, gap: { time: 1_000, bytes: 20, chunks: 1, why: 'lost' } };
const chunk = (text: string, came = 2_000): CaptureRecord => ({ kind: 'chunk', conn: 0, asked: came, came, bytes: encode(text) });
const end: CaptureRecord = { kind: 'end', conn: 0, end: { time: 9_000, how: 'complete' } };
const linesOf = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const [request, body, response, ...chunks] = exchange(sseOf(goodRun('r1')), { end: null }) as [CaptureRecord, CaptureRecord, CaptureRecord, ...CaptureRecord[]];
const head = (contentType: string): CaptureRecord[] => exchange('', { contentType, end: null });

describe('bytes that are lost', () => {
  it('before anything has come leave the rest to be found by its borders', () => {
    const sse = fold([request, body, response, gap, chunk('half"}\n\n'), ...chunks, end]);
    expect([sse.rows, sse.rules]).toEqual([15, []]);
    const lines = fold([...head('application/x-ndjson'), gap, chunk(`half"}\n${linesOf(goodRun('r1'))}`), end]);
    expect([lines.rows, lines.connection.codec, lines.rules]).toEqual([15, 'ndjson', []]);
    // nothing said what comes
    expect(fold([request, body, gap, chunk('half"}\n\n'), ...chunks]).rows).toBe(15);
  });

  it('between frames that did not yet tell what they are', () => {
    const plain: CaptureRecord = { kind: 'body', conn: 0, body: { kind: 'text', text: '{}' } };
    const { connection, rows } = fold([request, plain, response, chunk(sseOf([{ type: 'HEARTBEAT' }])), gap, chunk(`\n\n${sseOf(goodRun('r1'))}`), end]);
    expect([connection.recognised, rows]).toEqual([{ as: 'ag-ui' }, 16]);
  });

  it('of one JSON text or of protobuf leave the rest unread, without a verdict', () => {
    for (const type of ['application/json', 'application/vnd.ag-ui.event+proto']) {
      const { rows, rules, connection } = fold([...head(type), gap, chunk('[{"type":"RUN_STARTED"'), end]);
      expect([rows, rules, connection.gaps.length], type).toEqual([0, [], 1]);
    }
    const [first, ...others] = linesOf(goodRun('r1')).split('\n');
    const json = fold([...head('application/json'), chunk(`[${first}`), gap, chunk(`,${others.filter(Boolean).join(',')}]`), end]);
    // the type is what it is; nothing is said of the array that was never closed
    expect([json.rules, json.connection.gaps.length]).toEqual([['transport-content-type'], 1]);
  });

  it('of another protocol are counted and no more', () => {
    const foreign = chunk('data: {"id":"c","object":"chat.completion.chunk","choices":[]}\n\n');
    const { connection, rows } = fold([request, body, response, foreign, gap, foreign, end]);
    expect([connection.recognised.as, connection.gaps.length, rows]).toEqual(['foreign', 1, 0]);
  });
});

describe('an exchange that is told in another order', () => {
  it('is read without its response', () => {
    const { rows, rules } = fold([request, body, ...chunks, end]);
    expect([rows, rules]).toEqual([15, []]);
  });

  it('from the network log, without a frame, has the time of its response', () => {
    const records = exchange('').map((record) => (record.kind === 'request' ? { ...record, carrier: 'network-log' as const } : record));
    expect(fold(records).findings).toEqual([expect.objectContaining({ rule: 'stream-empty', row: null, span: null })]);
  });

  it('that is no exchange at all is read no further, and says so', () => {
    const broken = { kind: 'chunk', conn: 0, asked: 0, came: 0, bytes: null } as unknown as CaptureRecord;
    const { connection, session } = fold([request, body, response, ...chunks.slice(0, 3), broken, ...chunks.slice(3)]);
    expect(connection.failure).toMatch(/^Runlens could not read this connection further: .+\.$/);
    expect([connection.events, session.judged.size]).toEqual([3, 0]);
  });
});

describe('frames over a limit that is set', () => {
  const MIB = 2 ** 20;
  const large = { type: 'CUSTOM', name: 'a.large', value: 'x'.repeat(2 * MIB) };
  const plain: CaptureRecord = { kind: 'body', conn: 0, body: { kind: 'text', text: '{}' } };

  it('are passed over one by one, the frames between them read at their place', () => {
    const events = goodRun('r1');
    const text = sseOf([...events.slice(0, 4), large, ...events.slice(4, 6), large, ...events.slice(6)]);
    const { rows, rules, connection, session } = fold([request, body, response, chunk(text), end], { maxFrame: MIB });
    expect([rows, rules, connection.gaps.length, session.leftOut]).toEqual([15, [], 2, 2]);
    const { offset, length } = everything(session).rows!;
    const bytes = encode(text);
    const read = [...offset].map((from, row) => JSON.parse(new TextDecoder().decode(bytes.subarray(from, from + length[row]!)).slice('data: '.length)));
    expect(read).toEqual(events);
  });

  it('are passed over behind a gap as well', () => {
    const events = goodRun('r1');
    const text = `half"}\n\n${sseOf([large, ...events.slice(0, 3), large, ...events.slice(3)])}`;
    const { rows, session } = fold([request, body, response, gap, chunk(text)], { maxFrame: MIB });
    const { offset, frame } = everything(session).rows!;
    expect([rows, session.leftOut]).toEqual([15, 2]);
    expect(text.slice(offset[0], offset[0]! + 20)).toBe('data: {"type":"RUN_S');
    expect(text.slice(offset[14], offset[14]! + 20)).toBe('data: {"type":"RUN_F');
    expect([...frame]).toEqual([1, 2, 3, ...Array.from({ length: 12 }, (_, no) => no + 5)]);
  });

  it('may come before the stream has told what it is', () => {
    const { rows, connection } = fold([request, plain, response, chunk(sseOf([large, ...goodRun('r1')])), end], { maxFrame: MIB });
    expect([rows, connection.recognised, connection.gaps.length]).toEqual([15, { as: 'ag-ui' }, 1]);
  });
});

describe('a bad frame', () => {
  it('is a row without a mark where its rule is off', () => {
    const text = `${sseOf(goodRun('r1').slice(0, 2))}data: {"type":\n\n${sseOf(goodRun('r1').slice(2))}`;
    const { rules, flags } = fold(exchange(text), { rules: { 'transport-frame-not-json': false } });
    expect([rules, flags.length, new Set(flags)]).toEqual([[], 16, new Set([0])]);
  });
});
