import { encode } from '@ag-ui/proto';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { addRecord, createSession } from '../session/index.ts';
import { createStream, feed, finish } from '../stream/index.ts';
import { createExporter, type Form, openFile, type Piece, readAny } from './index.ts';

const encoder = new TextEncoder();

function exported(records: readonly CaptureRecord[], form: Form, conn = 0): Piece[] {
  const plan = { conns: new Set([conn]), events: null, runs: null, findings: () => [], protocolOf: () => null };
  const exporter = createExporter({ form, plan, header: { created: '', app: '' }, redact: null, before: null, title: 'x' });
  return [...exporter.begin(), ...records.flatMap(exporter.take), ...exporter.end()];
}

const toEventsJsonl = (records: readonly CaptureRecord[], conn: number) => exported(records, 'events', conn).join('');
const toRawBody = (records: readonly CaptureRecord[], conn: number) =>
  new Uint8Array(Buffer.concat(exported(records, 'raw', conn).map((piece) => Buffer.from(piece as Uint8Array))));
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

  it.each([
    ['{"schemaVersion":1,"kind":"event"}', 'events-jsonl'],
    ['{"schemaVersion":1,"kind":"header"}', 'ag-ui-devtools'],
    ['{"runlens":', 'capture'],
    ['{\n "type": "A"\n}', 'events-json'],
    ['{"type":"A"', 'events-jsonl'],
  ])('%j begins a file of kind %s', (text, kind) => {
    expect(read(text).kind).toBe(kind);
  });

  it('`as` overrides the content', () => {
    expect(read(JSON.stringify([a]), { as: 'events-jsonl' }).kind).toBe('events-jsonl');
  });
});

describe('a file that comes in pieces', () => {
  const pieces = (bytes: Uint8Array, size: number): Uint8Array[] =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, no) => bytes.subarray(no * size, (no + 1) * size));

  it('tells nothing before there are bytes enough, and gives its records as they come', () => {
    const file = openFile('x');
    const line = encoder.encode(`${JSON.stringify(a)}\n`);
    expect(file.take(line)).toEqual([]);
    expect(file.facts()).toEqual({ kind: null, problems: [], redacted: null });
    const rest = encoder.encode(`${JSON.stringify(b)}\n`.repeat(1500));
    const early = file.take(rest);
    expect(file.facts().kind).toBe('events-jsonl');
    expect(eventsOf(early)).toHaveLength(1501);
    expect(file.take(line)).toHaveLength(1);
    expect(file.end()).toMatchObject([{ kind: 'end' }]);
  });

  it('a frame without end is not held beyond a mebibyte, and loses no byte', () => {
    const long = `data: {"type":"CUSTOM","name":"x","value":"${'é'.repeat(700_000)}`;
    for (const before of ['', `data: ${JSON.stringify({ ...a, timestamp: 1_770_389_239_000 })}\n\n`]) {
      const body = encoder.encode(`${before}${long}"}\n\ndata: ${JSON.stringify(b)}\n\n`);
      const file = openFile('x', { time: 3 });
      const taken = pieces(body, 300_000).map((piece) => file.take(piece));
      expect(taken.slice(0, 4).flat().length).toBeGreaterThan(0);
      const records = [...taken.flat(), ...file.end()];
      expect(Buffer.compare(toRawBody(records, 0), body)).toBe(0);
      expect(eventsOf(records)).toHaveLength(before === '' ? 2 : 3);
      expect(times(records)[0]).toBe(before === '' ? 3 : 1_770_389_239_000);
    }
  });

  it('of a binary file that is no protobuf body nothing is held and nothing answered', () => {
    const file = openFile('x');
    const noise = Uint8Array.from({ length: 100_000 }, (_, at) => [0, 0, 0, 3, 9, 9, 9][at % 7]!);
    expect([...file.take(noise), ...file.take(noise), ...file.end()]).toEqual([]);
    expect(file.facts()).toMatchObject({ kind: 'proto', problems: [{ line: null, message: 'There is no event in the file that could be read.' }] });
  });
});

describe('times of a file', () => {
  const timed = (events: object[]) => times(read(events.map((event) => JSON.stringify(event)).join('\n'), { time: 100 }).records);

  it('are the events’ own, in seconds or ms, and never fall', () => {
    expect(timed([{ timestamp: 1_770_389_239 }, { timestamp: 1_770_389_239_500 }, { timestamp: 1_770_389_239_400 }])).toEqual([
      1_770_389_239_000, 1_770_389_239_500, 1_770_389_239_500,
    ]);
  });

  it('are those of a recorder before the events’ own', () => {
    expect(
      timed([
        { _timestamp: 1_770_389_239.5, timestamp: 1 },
        { _timestamp: 'x', timestamp: 1_770_389_240 },
      ]),
    ).toEqual([1_770_389_239_500, 1_770_389_240_000]);
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

  it('names a zip archive', () => {
    expect(readAny(Uint8Array.of(0x50, 0x4b, 3, 4), 'x').problems[0]!.message).toBe('The file is a zip archive; unpack it first.');
    expect(read('PK is how the text begins').problems[0]!.message).toMatch(/^The file is neither/);
  });

  it('an event nested beyond the stack and a line beyond the limit are left out with a sentence', () => {
    const deep = `{"type":"CUSTOM","value":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const long = JSON.stringify({ ...a, threadId: 'x'.repeat(10 * 1024 * 1024) });
    const { problems, records } = read(`${deep}\n${long}\n${JSON.stringify(b)}\n`, { as: 'events-jsonl' });
    expect(problems).toEqual([
      { line: null, message: 'An event is nested too deeply and was left out.' },
      { line: 2, message: 'Line 2 is longer than 10 Mi characters and was left out.' },
    ]);
    expect(eventsOf(records)).toEqual([b]);
  });

  it('what is of another protocol is said, also behind a hundred broken lines', () => {
    const { problems } = read(`${'x\n'.repeat(150)}{"object":"chat.completion.chunk","choices":[]}\n`, { as: 'events-jsonl' });
    expect(problems.slice(100).map(({ message }) => message)).toEqual([
      '50 more could not be read.',
      expect.stringMatching(/^What is in it can be read, but is not AG-UI: it is \w+/),
    ]);
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

describe('the events of a capture with a gap', () => {
  const frame = (event: object): Uint8Array => {
    const message = encode(event as Parameters<typeof encode>[0]);
    return Uint8Array.from([0, 0, 0, message.length, ...message]);
  };
  const gap: CaptureRecord = { kind: 'gap', conn: 0, gap: { time: 5, bytes: 9, chunks: 1, why: 'w' } };
  const chunk = (bytes: Uint8Array): CaptureRecord => ({ kind: 'chunk', conn: 0, asked: 4, came: 5, bytes });
  const capture = (contentType: string, carrier: 'fetch' | 'eventsource', parts: readonly (Uint8Array | null)[]): CaptureRecord[] => [
    { kind: 'request', conn: 0, carrier, document: null, request: { url: 'u', method: 'GET', time: 1 } },
    { kind: 'response', conn: 0, response: { time: 2, status: 200, contentType } },
    ...parts.map((part) => (part === null ? gap : chunk(part))),
    { kind: 'end', conn: 0, end: { time: 9, how: 'complete' } },
  ];
  const sse = (event: object) => encoder.encode(`data: ${JSON.stringify(event)}\n\n`);
  const line = (event: object) => encoder.encode(`${JSON.stringify(event)}\n`);
  const c = { type: 'CUSTOM', name: 'c', value: 1 };
  const cases: readonly (readonly [string, string, 'fetch' | 'eventsource', readonly (Uint8Array | null)[], readonly object[]])[] = [
    ['SSE', 'text/event-stream', 'fetch', [sse(a), null, sse(b), new Uint8Array(0), sse(c)], [a, c]],
    ['SSE at its start', 'text/event-stream', 'fetch', [null, sse(b).subarray(0, 9), sse(b).subarray(9), sse(c)], [c]],
    ['an EventSource', '', 'eventsource', [sse(a), null, sse(b), sse(c)], [a, c]],
    ['JSON lines', 'application/x-ndjson', 'fetch', [line(a), null, line(b), line(c)], [a, c]],
    ['JSON lines at their start', 'application/x-ndjson', 'fetch', [null, line(b), line(c)], [c]],
    ['a JSON array', 'application/json', 'fetch', [encoder.encode(`[${JSON.stringify(a)},`), null, line(b), line(c)], [a]],
    ['a JSON array at its start', 'application/json', 'fetch', [null, line(b), encoder.encode(`\n\n[${JSON.stringify(c)}]`)], []],
    ['protobuf', 'application/vnd.ag-ui.event+proto', 'fetch', [frame(a), null, frame(b), frame(c)], [a]],
    ['nothing but a gap', 'text/event-stream', 'fetch', [sse(a), null], [a]],
  ];

  it.each(cases)('%s: what is before it, and from the next border on', (_, contentType, carrier, parts, events) => {
    const records = capture(contentType, carrier, parts);
    const lines = toEventsJsonl(records, 0).split('\n').slice(0, -1);
    expect(lines.map((text) => JSON.parse(text))).toEqual(events);
    const session = createSession();
    for (const record of records) addRecord(session, record);
    expect(session.rows.count, 'as many as the panel shows').toBe(events.length);
  });
});
