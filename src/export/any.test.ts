import { encode } from '@ag-ui/proto';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { createStream, feed, finish } from '../stream/index.ts';
import { createExporter, type Form, type Piece, readAny } from './index.ts';

const encoder = new TextEncoder();

function exported(records: readonly CaptureRecord[], form: Form, conn = 0): Piece[] {
  const plan = { conns: new Set([conn]), events: null, runs: null, findings: () => [], protocolOf: () => null };
  const exporter = createExporter({ form, plan, header: { created: '', app: '' }, redact: null, before: null, title: 'x' });
  return [...exporter.begin(), ...records.flatMap(exporter.take), ...exporter.end()];
}

const toEventsJsonl = (records: readonly CaptureRecord[], conn: number) => exported(records, 'events', conn).join('');
const toRawBody = (records: readonly CaptureRecord[], conn: number) =>
  Uint8Array.from(exported(records, 'raw', conn).flatMap((piece) => [...(piece as Uint8Array)]));
const read = (text: string, options?: Parameters<typeof readAny>[2]) => readAny(encoder.encode(text), 'run.jsonl', options);
const chunksOf = (records: readonly CaptureRecord[]) => records.filter((record) => record.kind === 'chunk');
const times = (records: readonly CaptureRecord[]) => chunksOf(records).map((chunk) => chunk.came);

/** What the one data path makes of the records. */
function eventsOf(records: readonly CaptureRecord[]): unknown[] {
  const response = records.find((record) => record.kind === 'response');
  const stream = createStream({ codec: 'auto', contentType: response?.response.contentType ?? '' });
  const frames = chunksOf(records).flatMap((chunk) => feed(stream, chunk.bytes, chunk.came));
  return [...frames, ...finish(stream, 0).frames].flatMap((frame) => frame.values);
}

const a = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const b = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };

describe('any file becomes one connection', () => {
  it('events as JSON lines, a recorder’s extras taken off and used as times', () => {
    const file = read(
      `${JSON.stringify({ ...a, _timestamp: 5, _offset_ms: 0.5, _index: 0 })}\n${JSON.stringify({ ...b, _timestamp: 6, _offset_ms: 20, _index: 1 })}\n`,
      { time: 1000 },
    );
    expect(file).toMatchObject({ kind: 'events-jsonl', problems: [] });
    expect(file.records.map((record) => record.kind)).toEqual(['request', 'response', 'chunk', 'chunk', 'end']);
    expect(file.records[0]).toMatchObject({ conn: 0, carrier: 'file', request: { url: 'run.jsonl' } });
    expect(eventsOf(file.records)).toEqual([a, b]);
    expect(times(file.records)).toEqual([1000.5, 1020]);
  });

  it('a JSON array with a byte-order mark', () => {
    const file = read(`\ufeff${JSON.stringify([a, b], null, 2)}`);
    expect(file).toMatchObject({ kind: 'events-json', problems: [] });
    expect(eventsOf(file.records)).toEqual([a, b]);
  });

  it('an SSE body, byte for byte, comments and faults included', () => {
    const body = `: hello\n\ndata: ${JSON.stringify(a)}\r\n\r\nevent: x\ndata: [DONE]\n\n: bye\n\n`;
    const file = read(body);
    expect(file).toMatchObject({ kind: 'sse', problems: [] });
    expect(new TextDecoder().decode(toRawBody(file.records, 0))).toBe(body);
    expect(eventsOf(file.records)).toEqual([a]);
  });

  it('a protobuf body', () => {
    const message = encode(a as Parameters<typeof encode>[0]);
    const body = Uint8Array.from([0, 0, 0, message.length, ...message]);
    const file = readAny(body, 'x');
    expect(file.kind).toBe('proto');
    expect(toRawBody(file.records, 0)).toEqual(body);
    expect(eventsOf(file.records)).toEqual([a]);
  });

  it('one event printed over several lines', () => {
    expect(read(JSON.stringify(a, null, 2))).toMatchObject({ kind: 'events-json' });
  });

  it('`as` overrides the content', () => {
    expect(read(JSON.stringify([a]), { as: 'events-jsonl' }).kind).toBe('events-jsonl');
  });
});

describe('times of a file', () => {
  const timed = (events: object[]) => times(read(events.map((event) => JSON.stringify(event)).join('\n'), { time: 100 }).records);

  it('are the events’ own, in seconds or ms, and never fall', () => {
    expect(timed([{ timestamp: 1_770_389_239 }, { timestamp: 1_770_389_239_500 }, { timestamp: 1_770_389_239_400 }])).toEqual([
      1_770_389_239_000, 1_770_389_239_500, 1_770_389_239_500,
    ]);
  });

  it('are a millisecond apart where the file gives none', () => {
    expect(timed([{ a: 1 }, { a: 2 }, { timestamp: 'x' }])).toEqual([100, 101, 102]);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['', 'The file is empty.'],
    [' \n', 'There is nothing but white space in the file.'],
    ['hello', 'The file is neither a Runlens capture nor AG-UI events as JSON lines, a JSON array, an SSE body or a protobuf body.'],
    [':root { color: red }x', null],
  ])('%j', (text, message) => {
    if (message === null) return expect(read(text).kind).toBe('sse');
    expect(read(text)).toEqual({ kind: 'unknown', records: [], problems: [{ line: null, message }], redacted: null });
  });

  it('names gzip', () => {
    expect(readAny(Uint8Array.of(0x1f, 0x8b, 8), 'x').problems[0]!.message).toBe('The file is compressed with gzip; unpack it first.');
  });

  it('a bad line in a file of events is the file’s fault: told with its line, the rest kept', () => {
    const file = read(`${JSON.stringify(a)}\n\nnonsense\n[${JSON.stringify(b)}]\n{"type":`);
    expect(file.problems).toEqual([
      { line: 3, message: 'Line 3 is not JSON and was left out.' },
      { line: 4, message: 'Line 4 is not a single JSON object; the events in it (1) were taken.' },
      { line: 5, message: 'Line 5 is cut off: the file ends inside it.' },
    ]);
    expect(eventsOf(file.records)).toEqual([a, b]);
  });
});

it('toEventsJsonl writes a connection’s events one a line', () => {
  const { records } = read(`data: ${JSON.stringify(a)}\n\ndata: x\n\ndata: ${JSON.stringify(b)}`);
  expect(toEventsJsonl(records, 0)).toBe(`${JSON.stringify(a)}\n${JSON.stringify(b)}\n`);
  expect(toEventsJsonl(records, 1)).toBe('');
});
