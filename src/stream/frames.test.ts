/** Bodies taken apart by hand: the exact frames, wherever the bytes are cut. Over 300 lines: one table, whose rows share their notation. */
import { encode } from '@ag-ui/proto';
import { describe, expect, it } from 'vitest';
import { type Codec, codecOf, createStream, type Frame, feed, finish, MAX_FRAME } from './index.ts';
import { splitRaw } from './raw.ts';
import type { FrameFault } from './types.ts';

const encoder = new TextEncoder();

/** A stretch of the body. Without values it is no frame; `told` is the text that a frame which is not one event keeps. */
type Piece = readonly [sent: string | Uint8Array, values?: readonly unknown[], faults?: readonly FrameFault[], told?: string];

interface Told {
  readonly codec?: Codec | 'auto';
  readonly contentType?: string;
  readonly maxFrame?: number;
  readonly cut?: boolean;
  readonly clean?: boolean;
}

const bytesOf = (sent: string | Uint8Array) => (typeof sent === 'string' ? encoder.encode(sent) : sent);

function join(pieces: readonly Piece[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap(([sent]) => [...bytesOf(sent)]));
}

function framesOf(pieces: readonly Piece[]) {
  const frames: unknown[] = [];
  let offset = 0;
  for (const [sent, values, faults = [], told] of pieces) {
    const { length } = bytesOf(sent);
    if (values !== undefined) frames.push({ no: frames.length, offset, length, values, faults, ...(told === undefined ? {} : { text: told }) });
    offset += length;
  }
  return frames;
}

/** Feeds chunk i at time i + 1. */
function read(chunks: readonly Uint8Array[], { codec = 'auto', clean = true, cut: _, ...rest }: Told) {
  const state = createStream({ codec, ...rest });
  const frames: Frame[] = chunks.flatMap((chunk, i) => feed(state, chunk, i + 1));
  const last = finish(state, chunks.length + 1, clean);
  return { frames: [...frames, ...last.frames], cut: last.cut, codec: codecOf(state), state };
}

function inSizes(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

/** The frames are these for every cut in two and for chunks of one to seven bytes; each has the time its last byte came at. */
function expectFrames(pieces: readonly Piece[], told: Told = {}): void {
  const bytes = join(pieces);
  const expected = framesOf(pieces);
  const cuts = Array.from(bytes, (_, at) => [bytes.slice(0, at), bytes.slice(at)]);
  for (const chunks of [[bytes], ...cuts, ...[1, 2, 3, 5, 7].map((size) => inSizes(bytes, size))]) {
    const { frames, cut } = read(chunks, told);
    expect(frames.map(({ time: _, ...frame }) => frame)).toEqual(expected);
    expect(cut).toBe(told.cut ?? false);
  }
}

const NOT_JSON: readonly FrameFault[] = ['frame-not-json'];
const NOT_ONE: readonly FrameFault[] = ['frame-not-one-event'];
const OPEN: readonly FrameFault[] = ['unterminated-frame'];
const CRS: readonly FrameFault[] = ['line-endings'];
const TOO_LARGE: readonly FrameFault[] = ['frame-too-large'];

describe('SSE', () => {
  const sse = (pieces: readonly Piece[], told: Told = {}) => expectFrames(pieces, { codec: 'sse', ...told });

  it('frames, comments and blank lines between them', () => {
    sse([
      ['data: {"a":1}\n\n', [{ a: 1 }]],
      [': ping\n\n'],
      ['\n\n'],
      ['data:{"b":"é"}\n\n', [{ b: 'é' }]],
      ['\n'],
      ['data: {"b"\ndata: :2}\n\n', [{ b: 2 }]],
      ['\n\n\n'],
      ['data: {"b":3}\n\n', [{ b: 3 }]],
      ['event: e\nid: 7\nretry: 5\n\n'],
      ['id: 7\ndata: {"c":3}\n\n', [{ c: 3 }]],
      ['data: {"d"\ndata: :4}\n\n', [{ d: 4 }]],
      ['data:  {"e":5}\n\n', [{ e: 5 }]],
      ['database: {"f":6}\n\n'],
      ['data\n\n', [], NOT_JSON, ''],
      ['data: [DONE]\n\n', [], NOT_JSON, '[DONE]'],
      ['data: {"g":"€😀"}\n\n', [{ g: '€😀' }]],
    ]);
  });

  it('a frame that is too large keeps its own beginning, not what follows', () => {
    const big = `data: {"big":"${'x'.repeat(40)}"}\n\n`;
    sse(
      [
        ['data: {"a":1}\n\n', [{ a: 1 }]],
        [big, [], TOO_LARGE, big.slice(0, 15)],
        ['data: {"b":2}\n\n', [{ b: 2 }]],
      ],
      { maxFrame: 30 },
    );
  });

  it('line ends of every kind', () => {
    sse([
      ['data: {"a":1}\r\n\r\n', [{ a: 1 }], CRS],
      ['data: {"b":2}\n\n', [{ b: 2 }]],
      ['data: {"c":3}\r\r', [{ c: 3 }], CRS],
      ['data: {"d":"é"}\n\r\n', [{ d: 'é' }], CRS],
      ['\r'],
      ['\r\n'],
      ['\n'],
      [': x\r\n\r\n'],
      ['data: {"e"\rdata: :5}\n\n', [{ e: 5 }], CRS],
      ['data: nothing\r\n\n', [], ['line-endings', 'frame-not-json'], 'nothing'],
      ['\tdata: no field\n\n'],
      ['data: {"f":6}\n\n', [{ f: 6 }]],
    ]);
    const many = 'é'.repeat(20);
    sse([
      [`data: {"a":"${many}"}\r\n\r\n`, [{ a: many }], CRS],
      ['data: {"b":2}\n\n', [{ b: 2 }]],
      ['data: {"c":3}\n\n', [{ c: 3 }]],
    ]);
  });

  it('a byte-order mark is one only at the start of the body', () => {
    sse([['\ufeffdata: {"a":1}\n\n', [{ a: 1 }]], ['\ufeffdata: {"b":2}\n\n'], ['data: {"c":3}\n\n', [{ c: 3 }]]]);
    sse([['\ufeffdata: {"a":1}\r\n\r\n', [{ a: 1 }], CRS], ['\ufeffdata: {"b":2}\r\n\r\n']]);
    sse([['\ufeffdata: {"a":1}', [{ a: 1 }], OPEN]]);
    sse([['ï»¿data: {"a":1}\n\n'], ['data: {"b":2}\n\n', [{ b: 2 }]]]);
  });

  it.each<[string, readonly Piece[], boolean]>([
    ['a whole frame but for its blank line', [['data: {"a":1}\n', [{ a: 1 }], OPEN]], false],
    ['the same with CRLF', [['data: {"a":1}\r\n', [{ a: 1 }], ['line-endings', 'unterminated-frame']]], false],
    ['a frame that ends in CR CR', [['data: {"a":1}\r\r', [{ a: 1 }], CRS]], false],
    ['two values', [['data: [1,{"a":1}]', [{ a: 1 }], ['frame-not-one-event', 'unterminated-frame'], '[1,{"a":1}]']], false],
    [
      'half a value',
      [
        ['data: {"a":1}\n\n', [{ a: 1 }]],
        ['data: {"a', [], OPEN, '{"a'],
      ],
      true,
    ],
    ['a comment', [[': bye']], false],
    ['a line that is begun', [['id: 1\nda']], true],
    ['a line that is begun after a CR', [['id: 1\rda']], true],
    ['a comment after a line', [['id: 1\n: bye']], false],
    ['a comment after a CR', [['id: 1\r: bye']], false],
    ['whole lines without data', [['id: 1\n']], false],
    ['a blank line', [['\n']], false],
    ['nothing', [], false],
  ])('the end of the body: %s', (_, pieces, cut) => {
    sse(pieces, { cut });
  });

  it('a frame over the limit is passed over, its head kept, and the next is read', () => {
    const long = (value: string) => `data: {"a":"${value}"}\n\n`;
    const told = (value: string) => long(value).slice(0, 15);
    const limit = { maxFrame: 30 };
    sse(
      [
        [long('x'.repeat(14)), [{ a: 'x'.repeat(14) }]],
        [long('x'.repeat(15)), [], TOO_LARGE, told('x'.repeat(15))],
        ['data: {"b":2}\n\n', [{ b: 2 }]],
      ],
      limit,
    );
    sse(
      [
        [long('é€'.repeat(7)), [{ a: 'é€'.repeat(7) }]],
        [long('é€é'.repeat(5)), [], TOO_LARGE, told('é€é'.repeat(5))],
      ],
      limit,
    );
    sse(
      [
        [long('😀'.repeat(7)), [{ a: '😀'.repeat(7) }]],
        [long('😀'.repeat(8)), [], TOO_LARGE, told('😀'.repeat(8))],
        ['data: 1\n\n', [1]],
      ],
      limit,
    );
    sse(
      [
        ['data: {"b":2}\r\n\r\n', [{ b: 2 }], CRS],
        [`data: ${'y'.repeat(40)}\r\n\r\n`, [], TOO_LARGE, 'data: yyyyyyyyy'],
        ['data: 1\r\n\r\n', [1], CRS],
      ],
      limit,
    );
    sse([[`data: ${'y'.repeat(40)}`, [], TOO_LARGE, 'data: yyyyyyyyy']], { ...limit, cut: true });
    sse([[`data: ${'y'.repeat(40)}\r\r`, [], TOO_LARGE, 'data: yyyyyyyyy'] as const], limit);
  });

  it('of a bad frame 2,000 characters are kept, of one over the limit too', () => {
    const text = `data: ${'é'.repeat(9000)}\n\n`;
    for (const size of [1000, 1 << 20]) {
      const [bad] = read(inSizes(encoder.encode(text), size), { codec: 'sse' }).frames;
      expect(bad).toMatchObject({ faults: NOT_JSON, text: 'é'.repeat(2000) });
      const [large] = read(inSizes(encoder.encode(text), size), { codec: 'sse', maxFrame: 5000 }).frames;
      expect(large).toMatchObject({ faults: TOO_LARGE, text: text.slice(0, 2000), length: 18_008 });
    }
  });
});

describe('NDJSON', () => {
  const ndjson = (pieces: readonly Piece[], told: Told = {}) => expectFrames(pieces, { codec: 'ndjson', ...told });

  it('lines, blank ones, and what is no event', () => {
    ndjson([
      ['\ufeff{"a":1}\n', [{ a: 1 }]],
      ['\n'],
      [' \r\n'],
      ['{"b":"é"}\r\n', [{ b: 'é' }]],
      ['\u001e{"c":3}\n', [{ c: 3 }]],
      ['\ufeff{"d":4}\n', [], NOT_JSON, '\ufeff{"d":4}\n'],
      ['[{"e":5},6]\n', [{ e: 5 }], NOT_ONE, '[{"e":5},6]\n'],
      ['7\n', [7]],
      ['nonsense\n', [], NOT_JSON, 'nonsense\n'],
      ['{"f":8}', [{ f: 8 }]],
    ]);
  });

  it.each<[string, readonly Piece[], boolean]>([
    [
      'half a line',
      [
        ['{"a":1}\n', [{ a: 1 }]],
        ['{"b', [], OPEN, '{"b'],
      ],
      true,
    ],
    ['two values', [['[{"a":1}]', [{ a: 1 }], NOT_ONE, '[{"a":1}]']], false],
    ['white space', [['{"a":1}\n', [{ a: 1 }]], ['  ']], false],
    ['a record separator and a value', [['\u001e{"a":1}', [{ a: 1 }]]], false],
    ['nothing', [], false],
  ])('the end of the body: %s', (_, pieces, cut) => {
    ndjson(pieces, { cut });
  });

  it('a line over the limit is passed over', () => {
    const line = (value: string) => `{"a":"${value}"}\n`;
    const limit = { maxFrame: 20 };
    ndjson(
      [
        [line('é'.repeat(11)), [{ a: 'é'.repeat(11) }]],
        [line('é'.repeat(12)), [], TOO_LARGE, '{"a":"éééé'],
        ['{"b":2}\n', [{ b: 2 }]],
      ],
      limit,
    );
    ndjson(
      [
        ['{"b":2}\n', [{ b: 2 }]],
        [line('x'.repeat(12)), [], TOO_LARGE, '{"a":"xxxx'],
        ['{"c":3}\n', [{ c: 3 }]],
      ],
      limit,
    );
    ndjson([[line('x'.repeat(30)).trim(), [], TOO_LARGE, '{"a":"xxxx']], { ...limit, cut: true });
  });
});

describe('JSON bodies', () => {
  const json = (pieces: readonly Piece[], told: Told = {}) => expectFrames(pieces, { codec: 'json', ...told });

  it('the elements of an array, with what lies between left out', () => {
    json([
      ['\ufeff \t\n['],
      ['{"a":[1,{"b":"}]"}]}', [{ a: [1, { b: '}]' }] }]],
      [' ,\r\n'],
      ['{"c":"\\"}\\\\"}', [{ c: '"}\\' }]],
      [','],
      ['12', [12]],
      [' , '],
      ['true', [true]],
      [','],
      ['"x, ]"', [], NOT_ONE, '"x, ]"'],
      [','],
      ['[{"d":4}]', [{ d: 4 }], NOT_ONE, '[{"d":4}]'],
      [','],
      ['null', [null]],
      [']\n'],
    ]);
  });

  it('values in a row, and brackets that close nothing', () => {
    json([['{"a":1}', [{ a: 1 }]], ['\n'], ['{"b":2}', [{ b: 2 }]], ['"x"', [], NOT_ONE, '"x"'], ['{"c":3}', [{ c: 3 }]]]);
    json([['}', [], NOT_JSON, '}'], [' '], ['{"a":1}', [{ a: 1 }]]]);
    json([['['], ['1', [1]], [']'], [']', [], NOT_JSON, ']'], ['{"a":1}', [{ a: 1 }]], ['x}', [], NOT_JSON, 'x}'], ['{"b":2}', [{ b: 2 }]]]);
    json([['['], ['}', [], NOT_JSON, '}'], [','], ['{"a":1}', [{ a: 1 }]], [']']]);
    json([['[ ['.slice(0, 2)], ['[1]', [], NOT_ONE, '[1]'], [']']]);
    json([['\ufeff'], ['{"a":1}', [{ a: 1 }]], ['ï', [], OPEN, 'ï']], { cut: true });
  });

  it.each<[string, readonly Piece[], boolean]>([
    ['inside the array', [['['], ['{"a":1}', [{ a: 1 }]], [', ']], true],
    ['inside an element', [['['], ['{"a":1}', [{ a: 1 }]], [','], ['{"b', [], OPEN, '{"b']], true],
    ['inside a number of an array', [['['], ['12', [12]]], true],
    ['after a number', [['12', [12]]], false],
    ['inside a string', [['"ab', [], OPEN, '"ab']], true],
    ['nothing', [], false],
  ])('the end of the body: %s', (_, pieces, cut) => {
    json(pieces, { cut });
  });

  it('an element over the limit is passed over', () => {
    const element = (value: string) => `{"a":"${value}"}`;
    const limit = { maxFrame: 20 };
    json([['['], [element('é'.repeat(12)), [{ a: 'é'.repeat(12) }]], [','], [element('é'.repeat(13)), [], TOO_LARGE, '{"a":"éééé'], [']']], limit);
    json([['['], [element('x'.repeat(13)), [], TOO_LARGE, '{"a":"xxxx'], [','], ['{"b":2}', [{ b: 2 }]], [']']], limit);
    json([['['], [`{"a":"${'x'.repeat(20)}`, [], TOO_LARGE, '{"a":"xxxx']], { ...limit, cut: true });
  });
});

describe('protobuf', () => {
  const framed = (message: ArrayLike<number>) =>
    Uint8Array.from([...new Uint8Array(new Uint32Array([message.length]).buffer).reverse(), ...Array.from(message)]);
  const event = (value: Record<string, unknown>): Piece => [framed(encode(value as unknown as Parameters<typeof encode>[0])), [value]];
  const proto = (pieces: readonly Piece[], told: Told = {}) => expectFrames(pieces, { codec: 'proto', ...told });
  const started = event({ type: 'RUN_STARTED', threadId: 't', runId: 'r' });
  const long = event({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'é'.repeat(300) });

  it('frames of a length and an event', () => {
    proto([started, long, started]);
  });

  it('an envelope of a later protocol is dropped, and bytes that are no message end the reading', () => {
    // field 4000, wire type 2, empty
    proto([[framed([0x82, 0xfa, 0x01, 0]), [], ['proto-unknown-arm']], started]);
    proto([started, [framed([1, 2, 3]), [], ['proto-undecodable']], [started[0]], [Uint8Array.of(0, 0)]]);
  });

  it.each([1, 3, 4, 7])('a body that ends %i bytes into a frame', (length) => {
    proto([started, [(started[0] as Uint8Array).slice(0, length), []]], { cut: true });
  });

  it('a frame over the limit is passed over by the length it declares', () => {
    const size = (long[0] as Uint8Array).length;
    proto([long], { maxFrame: size });
    proto([started, [long[0], [], TOO_LARGE, ''], started], { maxFrame: size - 1 });
    proto([started, [(long[0] as Uint8Array).slice(0, 200), [], TOO_LARGE, '']], { maxFrame: 100, cut: true });
    const huge = Uint8Array.from([1, 2, 3, 4, 5]);
    proto([[huge, [], TOO_LARGE, '']], { cut: true });
  });
});

describe('which codec', () => {
  const EVENT = '{"a":1}';

  it.each([
    'application/x-ndjson',
    'application/ndjson',
    'application/jsonl',
    'application/x-jsonlines',
    'application/jsonlines',
    'application/json-seq',
    ' Application/NDJSON ; charset=utf-8',
  ])('%s is NDJSON before the first byte', (contentType) => {
    expect(codecOf(createStream({ codec: 'auto', contentType }))).toBe('ndjson');
  });

  it.each<[string, Codec]>([
    ['text/event-stream', 'sse'],
    ['application/vnd.ag-ui.event+proto', 'proto'],
  ])('%s is %s before the first byte', (contentType, codec) => {
    expect(codecOf(createStream({ codec: 'auto', contentType }))).toBe(codec);
    expect(codecOf(createStream({ codec: 'json', contentType }))).toBe('json');
  });

  it.each<[string, string, Codec | null]>([
    ['text/plain', '[', 'json'],
    ['text/plain', '{', 'ndjson'],
    ['application/problem+json', '{', 'json'],
    ['text/json-like', '{', 'ndjson'],
    ['text/plain', '\u001e', 'ndjson'],
    ['text/plain', '\u0000', 'proto'],
    ['text/plain', 'd', 'sse'],
    ['text/plain', ' \t\r\n', null],
    ['text/plain', '\ufeff', null],
    ['text/plain', '\ufeff\ufeff[', 'sse'],
    ['text/plain', ' \ufeff[', 'sse'],
    ['', ' \t\r\n[', 'json'],
  ])('%s that begins with %j is %s', (contentType, text, codec) => {
    expect(read([encoder.encode(text)], { contentType }).codec).toBe(codec);
    expect(read(inSizes(encoder.encode(text), 1), { contentType }).codec).toBe(codec);
  });

  it('white space that was held counts in the offsets and is no frame', () => {
    for (const size of [1, 2, 100]) {
      const { frames, codec } = read(inSizes(encoder.encode(` \n ${EVENT}\n`), size), { contentType: 'application/json' });
      expect(frames).toMatchObject([{ offset: 3, length: 7, values: [{ a: 1 }] }]);
      expect(codec).toBe('json');
    }
  });

  it('4,096 bytes of white space may come before a body, then it is SSE', () => {
    const state = createStream({ codec: 'auto' });
    expect(feed(state, encoder.encode(' '.repeat(4096)), 1)).toEqual([]);
    expect(codecOf(state)).toBeNull();
    expect(feed(state, encoder.encode(' '), 1)).toEqual([]);
    expect(codecOf(state)).toBe('sse');
    expect(feed(state, encoder.encode('\n\ndata: {"a":1}\n\n'), 2)).toMatchObject([{ offset: 4099, values: [{ a: 1 }] }]);
  });
});

describe('times', () => {
  it.each<[Codec, string, string, string]>([
    ['sse', 'data: 1\n\nda', 'ta: 2\n\ndata: 3\n\n', 'data: 4'],
    ['ndjson', '1\n', '2\n3\n', '4'],
    ['json', '1 ', '2 3 ', '4'],
  ])('%s: a frame has the time its last byte came, an empty chunk none', (codec, first, second, third) => {
    const state = createStream({ codec });
    const timesOf = (frames: readonly Frame[]) => frames.map(({ time }) => time);
    expect(timesOf(feed(state, encoder.encode(first), 5))).toEqual([5]);
    expect(timesOf(feed(state, encoder.encode(second), 6))).toEqual([6, 6]);
    expect(timesOf(feed(state, encoder.encode(third), 7))).toEqual([]);
    expect(feed(state, new Uint8Array(0), 8)).toEqual([]);
    expect(finish(state, 9)).toMatchObject({ frames: [{ time: 7, values: [4] }] });
  });
});

describe('a connection that broke', () => {
  it('leaves the remainder without a fault, and the faults of what came before', () => {
    const body = 'data: no\n\ndata: {"a":1}';
    expect(read([encoder.encode(body)], { codec: 'sse', clean: false })).toMatchObject({ frames: [{ faults: NOT_JSON }, { values: [{ a: 1 }], faults: [] }] });
    expect(read([encoder.encode('data: 1\r\r')], { codec: 'sse', clean: false })).toMatchObject({ cut: false, frames: [{ faults: CRS }] });
  });
});

describe('what is held', () => {
  it('is no more than the limit of 10 Mi characters, unless another is told', () => {
    expect([createStream({ codec: 'sse' }).maxFrame, MAX_FRAME]).toEqual([10_485_760, 10_485_760]);
    expect(createStream({ codec: 'sse', maxFrame: 5 }).maxFrame).toBe(5);
  });

  it('grows by doubling, and a small buffer serves the next frame', () => {
    const state = createStream({ codec: 'sse' });
    const buffers = new Set<Uint8Array>();
    for (const byte of encoder.encode(`data: "${'x'.repeat(500)}"`)) {
      feed(state, Uint8Array.of(byte), 1);
      buffers.add(state.held);
    }
    expect(buffers.size).toBeLessThan(12);
    feed(state, encoder.encode('\n\n'), 2);
    feed(state, encoder.encode('data: 1'), 3);
    expect(buffers).toContain(state.held);
  });
});

it('splitRaw: blank lines belong to the frame before, the first and the last may be anything', () => {
  const split = (text: string) => splitRaw(encoder.encode(text));
  expect(split('\n\ndata: 1\n\n\r\n\n: c\n\ndata: 2')).toEqual([
    { no: null, offset: 0, length: 2, text: '\n\n' },
    { no: 0, offset: 2, length: 12, text: 'data: 1\n\n\r\n\n' },
    { no: null, offset: 14, length: 5, text: ': c\n\n' },
    { no: 1, offset: 19, length: 7, text: 'data: 2' },
  ]);
  expect(split('\ufeffdata: é\n\n\ufeffdata: 2\n\n')).toEqual([
    { no: 0, offset: 0, length: 13, text: '\ufeffdata: é\n\n' },
    { no: null, offset: 13, length: 12, text: '\ufeffdata: 2\n\n' },
  ]);
  expect(split('')).toEqual([]);
});
