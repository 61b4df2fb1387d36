import { encode } from '@ag-ui/proto';
import { describe, expect, it } from 'vitest';
import cases from '../checker/fixtures/field-cases.json' with { type: 'json' };
import { type Codec, codecOf, createStream, type Frame, feed, finish } from './index.ts';

const encoder = new TextEncoder();

function run(bytes: Uint8Array, size: number, options: { codec?: Codec | 'auto'; contentType?: string; maxFrame?: number } = {}) {
  const { codec = 'auto', ...rest } = options;
  const state = createStream({ codec, ...rest });
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += size) frames.push(...feed(state, bytes.slice(at, at + size), at));
  const last = finish(state, bytes.length);
  return { frames: [...frames, ...last.frames], cut: last.cut, codec: codecOf(state) };
}

const read = (text: string, options: Parameters<typeof run>[2] = {}) => run(encoder.encode(text), 1 << 20, options);
const values = (result: { frames: readonly Frame[] }) => result.frames.flatMap((frame) => frame.values);
const textOf = (text: string, frame: Frame) => new TextDecoder().decode(encoder.encode(text).subarray(frame.offset, frame.offset + frame.length));

/** A protobuf body of these events. */
function protoBody(events: readonly Record<string, unknown>[]): Uint8Array {
  const parts = events.flatMap((event) => {
    const message = encode(event as unknown as Parameters<typeof encode>[0]);
    return [...new Uint8Array(new Uint32Array([message.length]).buffer).reverse(), ...message];
  });
  return Uint8Array.from(parts);
}

describe('NDJSON', () => {
  it('one value a line, blank lines and CRLF and a missing last line end are nothing', () => {
    const text = '\ufeff{"a":1}\n\n{"b":"é"}\r\n{"c":3}';
    for (const size of [1, 2, 7, 100]) {
      const result = run(encoder.encode(text), size);
      expect(result).toMatchObject({ codec: 'ndjson', cut: false });
      expect(values(result)).toEqual([{ a: 1 }, { b: 'é' }, { c: 3 }]);
      expect(result.frames.every((frame) => frame.faults.length === 0)).toBe(true);
      expect(result.frames.slice(1).map((frame) => textOf(text, frame))).toEqual(['{"b":"é"}\r\n', '{"c":3}']);
    }
  });

  it('tells what is wrong with a line and goes on', () => {
    const result = read('{"a":1}\nnonsense\n[{"b":2}]\n{"c":', { codec: 'ndjson' });
    expect(result.frames.map((frame) => frame.faults)).toEqual([[], ['frame-not-json'], ['frame-not-one-event'], ['unterminated-frame']]);
    expect(result.cut).toBe(true);
  });

  it('passes over a line beyond the limit, wherever the bytes are cut, and goes on', () => {
    const bytes = encoder.encode(`{"a":"${'x'.repeat(50)}"}\n{"b":2}\n`);
    for (const size of [3, 30, 1000]) {
      const result = run(bytes, size, { codec: 'ndjson', maxFrame: 20 });
      expect(result, String(size)).toMatchObject({ cut: false, frames: [{ faults: ['frame-too-large'], offset: 0, length: 59 }, { values: [{ b: 2 }] }] });
    }
    const last = run(bytes.subarray(0, 40), 10, { codec: 'ndjson', maxFrame: 20 });
    expect(last).toMatchObject({ cut: true, frames: [{ faults: ['frame-too-large'], length: 40, text: '{"a":"xxxx' }] });
  });

  it('reads JSON text sequences', () => {
    expect(values(read('\u001e{"a":1}\n\u001e{"b":2}\n', { contentType: 'application/json-seq' }))).toEqual([{ a: 1 }, { b: 2 }]);
  });
});

describe('JSON bodies', () => {
  it('report an element as soon as it is complete', () => {
    const state = createStream({ codec: 'json' });
    expect(feed(state, encoder.encode('[{"a":"]}"}'), 7)).toMatchObject([{ values: [{ a: ']}' }], time: 7, offset: 1, length: 10 }]);
    expect(feed(state, encoder.encode(', 1'), 8)).toEqual([]);
    expect(feed(state, encoder.encode('2]'), 9)).toMatchObject([{ values: [12], offset: 13, length: 2 }]);
    expect(finish(state, 10)).toEqual({ frames: [], cut: false });
  });

  it('an array may close right behind a number that came before', () => {
    expect(run(encoder.encode('[1,2]'), 1)).toMatchObject({ cut: false, frames: [{ values: [1] }, { values: [2], offset: 3, length: 1 }] });
  });

  it('read one object, or several, as an application/json body', () => {
    expect(values(read('{\n "a": 1\n}\n{"b":2}', { contentType: 'application/json; charset=utf-8' }))).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each(['[{"a":1}', '[{"a":1},{"b', '[{"a":1},'])('a body cut off: %j', (text) => {
    const result = read(text);
    expect(result.cut).toBe(true);
    expect(values(result)).toEqual([{ a: 1 }]);
  });

  it('go on after an element that does not parse', () => {
    const result = read('[{"a":1}, {nonsense}, "x", [1], {"b":2}]');
    expect(result.frames.map((frame) => frame.faults[0])).toEqual([undefined, 'frame-not-json', 'frame-not-one-event', 'frame-not-one-event', undefined]);
  });

  it('a body that ends inside an element beyond the limit is cut', () => {
    const result = run(encoder.encode(`[{"a":"${'x'.repeat(50)}`), 10, { codec: 'json', maxFrame: 20 });
    expect(result).toMatchObject({ cut: true, frames: [{ faults: ['frame-too-large'], offset: 1, length: 56 }] });
  });

  it('pass over an element beyond the limit', () => {
    for (const size of [3, 1000]) {
      const result = run(encoder.encode(`[{"a":"${'x'.repeat(50)}"},{"b":2}]`), size, { maxFrame: 20 });
      expect(result.frames).toMatchObject([{ faults: ['frame-too-large'], offset: 1, length: 58 }, { values: [{ b: 2 }] }]);
    }
  });
});

describe('protobuf', () => {
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'héllo' },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: { b: [1] } }] },
  ];

  it('frames by length prefix, for any chunking, under any parameters of the media type', () => {
    const bytes = protoBody(events);
    for (const size of [1, 3, 5, 1000]) {
      const result = run(bytes, size, { contentType: 'application/vnd.ag-ui.event+proto; v=1' });
      expect(values(result)).toEqual(events);
      expect(result).toMatchObject({ codec: 'proto', cut: false });
      const ends = result.frames.map((frame) => frame.offset + frame.length);
      expect(result.frames.map((frame) => frame.offset)).toEqual([0, ...ends.slice(0, -1)]);
      expect(ends.at(-1)).toBe(bytes.length);
    }
  });

  it('stops at bytes that are no message', () => {
    const bytes = Uint8Array.from([...protoBody(events.slice(0, 1)), 0, 0, 0, 3, 1, 2, 3, ...protoBody(events.slice(1))]);
    const result = run(bytes, 4, { codec: 'proto' });
    expect(result.frames.map((frame) => frame.faults)).toEqual([[], ['proto-undecodable']]);
    expect(result.cut).toBe(false);
  });

  it('drops an envelope variant it does not know and goes on', () => {
    // field 4000, wire type 2, empty: a variant of some later protocol
    const bytes = Uint8Array.from([0, 0, 0, 4, 0x82, 0xfa, 0x01, 0, ...protoBody(events.slice(0, 1))]);
    const result = run(bytes, 3, { codec: 'proto' });
    expect(result.frames.map((frame) => frame.faults)).toEqual([['proto-unknown-arm'], []]);
  });

  it('tells a frame cut by the end of the body', () => {
    const bytes = protoBody(events);
    const result = run(bytes.slice(0, -2), 10, { codec: 'proto' });
    expect(result.cut).toBe(true);
    expect(result.frames.at(-1)).toMatchObject({ values: [], faults: [] });
  });

  it('counts every byte of a frame’s length', () => {
    const long = [{ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x'.repeat(200_000) }, ...events.slice(0, 1)];
    const result = run(protoBody(long), 30_000, { codec: 'proto' });
    expect(values(result)).toEqual(long);
    expect(result.cut).toBe(false);
  });

  it('passes over a frame whose prefix is beyond the limit', () => {
    const bytes = Uint8Array.from([0, 0, 1, 0, ...new Uint8Array(256), ...protoBody(events.slice(0, 1))]);
    for (const size of [1, 50, 1000]) {
      const result = run(bytes, size, { codec: 'proto', maxFrame: 100 });
      expect(result.frames).toMatchObject([
        { faults: ['frame-too-large'], offset: 0, length: 260 },
        { values: events.slice(0, 1), offset: 260 },
      ]);
    }
  });
});

describe('auto', () => {
  it.each([
    ['text/event-stream; charset=utf-8', '{"a":1}', 'sse'],
    ['application/x-ndjson', 'data: x', 'ndjson'],
    ['application/json', 'data: {"a":1}\n\n', 'sse'],
    ['application/json', '\ufeff\n [', 'json'],
    ['text/plain', '{"a":1}', 'ndjson'],
    ['', ': ping\n\n', 'sse'],
    ['application/octet-stream', '\u0000\u0000', 'proto'],
  ])('%j %j is %s', (contentType, text, codec) => {
    expect(run(encoder.encode(text), 1, { contentType }).codec).toBe(codec);
  });

  it('is SSE behind more white space than any body begins with', () => {
    const text = `${' '.repeat(5000)}{"a":1}`;
    expect(run(encoder.encode(text.slice(0, 4000)), 1000)).toMatchObject({ codec: null, frames: [] });
    expect(run(encoder.encode(text), 1000).codec).toBe('sse');
  });

  it('a connection that broke has no fault in what it left unfinished', () => {
    const state = createStream({ codec: 'ndjson' });
    feed(state, encoder.encode('{"a":1}\n{"b"'), 0);
    expect(finish(structuredClone(state), 1).frames).toMatchObject([{ faults: ['unterminated-frame'] }]);
    expect(finish(state, 1, false).frames).toMatchObject([{ faults: [], values: [] }]);
    const whole = createStream({ codec: 'ndjson' });
    feed(whole, encoder.encode('{"b":2}'), 0);
    expect(finish(whole, 1, false)).toMatchObject({ cut: false, frames: [{ faults: [], values: [{ b: 2 }] }] });
  });

  it('does not know an empty body', () => {
    expect(read('')).toEqual({ frames: [], cut: false, codec: null });
  });
});

describe('field cases: every framing can be told', () => {
  const framed = cases.filter((entry) => 'chunks' in entry.transport);

  it.each(framed.map((entry) => [entry.id, entry] as const))('%s', (_, entry) => {
    const state = createStream({ codec: 'auto', contentType: entry.transport.contentType });
    const chunks = (entry.transport as { chunks: string[] }).chunks;
    const frames = chunks.flatMap((chunk, i) => feed(state, encoder.encode(chunk), i));
    const last = finish(state, chunks.length, entry.end === 'closed');
    frames.push(...last.frames);
    const events = frames.flatMap((frame) => frame.values);
    const faults = new Set(frames.flatMap((frame) => frame.faults));
    const named = entry.expected.findings.filter(({ rule }) => rule.startsWith('transport-')).map(({ rule }) => rule.slice('transport-'.length));
    if (entry.events.length > 0) {
      expect(last.cut).toBe(entry.expected.findings.some(({ rule }) => rule === 'run-truncated'));
      expect(events).toEqual(entry.events);
      expect([...faults].filter((fault) => fault !== 'unterminated-frame' || !last.cut)).toEqual(named);
    }
  });

  it('wire-sse-inside-json gives its text and no event', () => {
    const entry = cases.find(({ id }) => id === 'wire-sse-inside-json')!;
    const result = read((entry.transport as { chunks: string[] }).chunks.join(''), { contentType: 'text/event-stream' });
    expect(result.frames).toMatchObject([
      { values: [], faults: ['frame-not-one-event'] },
      { values: [], faults: ['frame-not-one-event'] },
    ]);
  });
});
