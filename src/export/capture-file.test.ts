import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { createReader, endReader, readAny, readText, writeHeader, writeRecord } from './index.ts';

const encoder = new TextEncoder();
const header = writeHeader({ created: '2026-12-01T10:00:00.000Z', app: '0.1.0', note: 'a "note"\nin two lines' });

const conn = fc.nat(5);
const time = fc.double({ min: 0, max: 2e12, noNaN: true }).map((value) => Math.abs(value));
const text = fc.string({ unit: 'binary', maxLength: 20 });
const count = fc.nat();
const some = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }, requiredKeys: (keyof T)[]) => fc.record(fields, { requiredKeys }) as fc.Arbitrary<T>;
const body = some({ kind: fc.constantFrom('none', 'text', 'bytes', 'form', 'stream', 'unreadable'), text, size: count, cut: fc.boolean() }, ['kind']);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  text.map((value) => encoder.encode(value)),
  fc.tuple(text, fc.nat(10)).map(([value, cut]) => encoder.encode(`é😀${value}`).slice(1, -1 - cut)),
  fc.constant(encoder.encode('\ufeffdata: {"a":"\u2028"}\r\n\r\n')),
);
const carrier = fc.constantFrom('fetch', 'eventsource', 'xhr', 'websocket', 'network-log', 'file');
const document = fc.option(fc.record({ doc: text, url: text, frame: fc.integer(), time }));
const how = fc.constantFrom('complete', 'network-error', 'aborted', 'cancelled', 'closed', 'navigated');
const record = fc.oneof(
  fc.record({
    kind: fc.constant('request'),
    conn,
    carrier,
    document,
    request: some({ url: text, method: text, time, body, stack: text }, ['url', 'method', 'time']),
  }),
  fc.record({ kind: fc.constant('body'), conn, body }),
  fc.record({
    kind: fc.constant('response'),
    conn,
    response: some({ time, status: fc.nat(599), statusText: text, contentType: text, url: text }, ['time', 'status', 'contentType']),
  }),
  fc.record({ kind: fc.constant('chunk'), conn, asked: time, came: time, bytes }),
  fc.record({ kind: fc.constant('gap'), conn, gap: fc.record({ time, bytes: count, chunks: count, why: text }) }),
  fc.record({ kind: fc.constant('end'), conn, end: some({ time, how, message: text }, ['time', 'how']) }),
) as fc.Arbitrary<CaptureRecord>;
const records = fc.array(record, { maxLength: 12 });

function read(file: string, size = file.length || 1) {
  const reader = createReader();
  const found: CaptureRecord[] = [];
  for (let at = 0; at < file.length; at += size) found.push(...readText(reader, file.slice(at, at + size)));
  found.push(...endReader(reader));
  return { records: found, problems: reader.problems.list, reader };
}

describe('a capture file', () => {
  it('gives back the very records, for any bytes and any pieces', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 50 }), fc.boolean(), (all, size, crlf) => {
        const file = header + all.map(writeRecord).join('');
        const back = read(crlf ? file.replaceAll('\n', '\r\n') : file, size);
        expect(back.problems).toEqual([]);
        expect(back.records).toEqual(all);
        expect(readAny(encoder.encode(`\ufeff${file}`), 'x')).toEqual({ kind: 'capture', records: all, problems: [], redacted: null });
      }),
      { numRuns: 500 },
    );
  });

  it('says what its header says', () => {
    expect(read(header).reader).toMatchObject({ version: 1, created: '2026-12-01T10:00:00.000Z', app: '0.1.0', note: 'a "note"\nin two lines' });
  });

  it('holds text where the bytes are text, base64 where they are cut inside a character', () => {
    const chunk = (bytes: Uint8Array) => JSON.parse(writeRecord({ kind: 'chunk', conn: 0, asked: 1, came: 2, bytes }));
    expect(chunk(encoder.encode('data: é\n\n'))).toEqual({ kind: 'chunk', conn: 0, asked: 1, came: 2, text: 'data: é\n\n' });
    expect(chunk(encoder.encode('é').slice(0, 1))).toEqual({ kind: 'chunk', conn: 0, asked: 1, came: 2, base64: 'ww==' });
  });

  it('gives back long and short texts side by side', () => {
    const chunks = [3, 6_000, 5_000, 40, 5_000, 5_000].map((size, no): CaptureRecord => {
      return { kind: 'chunk', conn: 0, asked: 1, came: 2, bytes: encoder.encode(String(no).repeat(size)) };
    });
    const back = read(header + chunks.map(writeRecord).join('')).records;
    expect(back.map(writeRecord)).toEqual(chunks.map(writeRecord));
  });

  it('is one line a record', () => {
    expect(writeRecord({ kind: 'chunk', conn: 0, asked: 1, came: 2, bytes: encoder.encode('a\nb') }).split('\n')).toHaveLength(2);
  });
});

it('the example in docs/capture-format.md is one', () => {
  const page = readFileSync(new URL('../../docs/capture-format.md', import.meta.url), 'utf8');
  const example = /```json\n(.*?)```/s.exec(page)![1]!;
  const { records: found, problems } = read(example);
  expect(problems).toEqual([]);
  expect(found.map(({ kind }) => kind)).toEqual(['request', 'body', 'response', 'chunk', 'chunk', 'gap', 'end']);
});

describe('a file that is not in order', () => {
  const good = writeRecord({ kind: 'end', conn: 0, end: { time: 5, how: 'complete' } });
  const messages = (file: string) => read(file).problems.map(({ line, message }) => [line, message]);

  it.each([
    ['nonsense', 'Line 3 is not JSON and was left out.'],
    ['[]', 'Line 3 is no capture record: it is not a JSON object.'],
    ['{}', 'Line 3 is no capture record: it has no "kind".'],
    ['{"kind":"__proto__"}', 'Line 3 is no capture record: its kind "__proto__" is not one this format has.'],
    ['{"kind":"end","conn":0,"end":{"time":"x","how":"complete"}}', 'Line 3 is no capture record: "end.time" should be a number.'],
    ['{"kind":"end","conn":-1,"end":{"time":1,"how":"complete"}}', 'Line 3 is no capture record: "conn" has a value it cannot have.'],
    [
      '{"kind":"end","conn":0,"end":{"time":1,"how":"gone"}}',
      'Line 3 is no capture record: "end.how" should be one of complete, network-error, aborted, cancelled, closed, navigated.',
    ],
    ['{"kind":"chunk","conn":0,"asked":1,"came":1}', 'Line 3 is no capture record: the chunk has neither "text" nor "base64".'],
    ['{"kind":"chunk","conn":0,"asked":1,"came":1,"base64":"&&&&"}', 'Line 3 is no capture record: its "base64" is not base64.'],
    ['{"kind":"chunk","conn":0,"asked":1,"came":1,"base64":"abc"}', 'Line 3 is no capture record: its "base64" is not base64.'],
    ['{"kind":"chunk","conn":0,"asked":1,"came":1,"base64":"abcde==="}', 'Line 3 is no capture record: its "base64" is not base64.'],
  ])('keeps the rest: %s', (line, message) => {
    const file = `${header}${good}${line}\n${good}`;
    expect(messages(file)).toEqual([[3, message]]);
    expect(read(file).records).toHaveLength(2);
  });

  it('without a header is read all the same', () => {
    expect(messages(good + good)).toEqual([[1, 'Line 1 should be the header of a Runlens capture, {"runlens": 1, …}, and is not.']]);
    expect(read(good + good).records).toHaveLength(2);
  });

  it('cut in its last line says so', () => {
    expect(messages(header + good + good.slice(0, -10))).toEqual([[3, 'Line 3, the last one, is cut off or damaged: it is not JSON.']]);
  });

  it('of a newer format is refused in plain words', () => {
    const file = `{"runlens":2,"app":"9.0"}\n${good}`;
    expect(messages(file)).toEqual([[1, 'This capture is of format 2, from a newer Runlens; this one reads formats up to 1. Update Runlens to open it.']]);
    expect(read(file).records).toEqual([]);
    expect(read(file, 3)).toMatchObject({ records: [], problems: [{ line: 1 }] });
  });

  it.each(['"1"', 0, 1.5, null])('whose header gives %s as its format is read as version 1', (version) => {
    const file = `{"runlens":${version},"created":5,"app":null,"note":[]}\n${good}`;
    expect(messages(file)).toEqual([[1, 'The header in line 1 gives no format version; it is read as version 1.']]);
    expect(read(file)).toMatchObject({ records: [{ kind: 'end' }], reader: { version: 1, created: null, app: null, note: null, redacted: null } });
  });

  it.each([
    ['true', [], []],
    ['{"groups":"all","rules":7}', [], []],
    ['{"groups":["tool","text","no such",5],"rules":["tool-args-not-json","no-such",{}]}', ['text', 'tool'], ['tool-args-not-json']],
  ])('whose header says %s of its redaction is redacted all the same', (redacted, groups, rules) => {
    expect(read(`{"runlens":1,"redacted":${redacted}}\n${good}`).reader.redacted).toEqual({ groups, rules });
  });

  it('with a line too long to be held goes on behind it', () => {
    const reader = createReader();
    const piece = 'x'.repeat(1 << 22);
    readText(reader, header);
    for (let no = 0; no < 65; no++) expect(readText(reader, piece)).toEqual([]);
    expect(readText(reader, `\n${good}`)).toHaveLength(1);
    expect(reader.problems.list).toEqual([{ line: 2, message: 'Line 2 is longer than 256 Mi characters and was left out.' }]);
  });

  it('that is empty says so', () => {
    expect(messages('')).toEqual([[null, 'The file is empty: there is no capture in it.']]);
  });

  it('lists a hundred problems and counts the rest', () => {
    const { problems } = read(header + 'x\n'.repeat(250));
    expect(problems).toHaveLength(101);
    expect(problems[100]).toEqual({ line: null, message: '150 more lines could not be read.' });
  });

  it('keeps an unknown field of a later writer out of the records', () => {
    expect(read(`${header}{"kind":"end","conn":0,"end":{"time":5,"how":"complete","later":1},"__proto__":{"x":1}}\n`).records).toEqual([JSON.parse(good)]);
  });
});

describe('hostile bytes', () => {
  const sentence = /^[A-Z].*[.:]$/su;

  it('flipped, cut or foreign: nothing throws, every problem is a sentence', () => {
    const damage = fc.record({ cut: fc.nat(2000), flips: fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 10 }) });
    fc.assert(
      fc.property(records, damage, (all, { cut, flips }) => {
        const file = encoder.encode(header + all.map(writeRecord).join(''));
        for (const [at, value] of flips) if (at < file.length) file[at] = value;
        const { problems, kind } = readAny(cut < file.length ? file.slice(0, cut) : file, 'x');
        for (const { message } of problems) expect(message).toMatch(sentence);
        if (kind === 'unknown') expect(problems).toHaveLength(1);
      }),
      { numRuns: 1000 },
    );
  });

  it('at random: nothing throws', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"runlens":',
      '1',
      '"kind":"chunk"',
      ',',
      '\n',
      'data: ',
      '"__proto__":',
      '{"constructor":{"prototype":{}}}',
      '\u0000',
      '\u001f\u008b',
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(token, { maxLength: 30 }).map((tokens) => encoder.encode(tokens.join(''))),
    );
    fc.assert(
      fc.property(bytes, fc.constantFrom(undefined, 'capture', 'events-jsonl', 'events-json', 'sse', 'proto'), (file, as) => {
        for (const { message } of readAny(file, 'x', as === undefined ? {} : { as }).problems) expect(message).toMatch(sentence);
      }),
      { numRuns: 3000 },
    );
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});
