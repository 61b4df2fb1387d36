import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Codec, createStream, type Frame, feed, finish } from './index.ts';
import { splitRaw } from './raw.ts';
import { type Outcome, runCut } from './testing.ts';

const encoder = new TextEncoder();
const timeless = ({ frames, cut }: Outcome) => ({ cut, frames: frames.map(({ time: _, ...frame }) => frame) });

/** Pieces that put every rule of the grammar next to every other. */
const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '\r\r',
    '\r\n\r\n',
    ':',
    'data',
    'data:',
    'data: ',
    'event: x',
    'id: 1',
    'retry: 5',
    ': ping',
    'foo: bar',
    'data:data:',
  ),
  fc.constantFrom('{"type":"A"}', '{"type":"B","delta":"é\u2028😀"}', '[1]', '"x"', '\ufeff', 'ï»¿', '\u0000', '[DONE]', '{"a":1}{"b":2}'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const good = fc.constantFrom(
  'data: {"type":"A"}\n\n',
  'data:{"type":"B","delta":"ü"}\n\n',
  ': c\n\n',
  'event: e\ndata: {"x":1}\n\n',
  'data: {"y":2}\r\n\r\n',
  '\n',
);
const body = fc
  .array(fc.oneof({ weight: 2, arbitrary: piece }, { weight: 1, arbitrary: good }), { maxLength: 40 })
  .map((pieces) => encoder.encode(pieces.join('')));
const anyBytes = fc.oneof(
  { weight: 3, arbitrary: body },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(10, 13, 0x64, 0x3a, 0xc3, 0xa9, 0xff, 0xe2, 0x80, 0xef, 0xbb, 0xbf, 0x7b, 0x7d), { maxLength: 60 })
      .map((bytes) => Uint8Array.from([0x64, 0x61, 0x74, 0x61, 0x3a, ...bytes])),
  },
);
const cutsOf = fc.array(fc.nat(1_000_000), { maxLength: 30 });
const within = (bytes: Uint8Array, cuts: number[]) => cuts.map((cut) => cut % (bytes.length + 1));

function libraryData(text: string): string[] {
  const data: string[] = [];
  const parser = createParser({ onEvent: (event) => data.push(event.data) });
  parser.feed('');
  parser.feed(text);
  return data;
}

describe('the splitter and the library', () => {
  it('give the same events as the library over the whole text, however the bytes are cut', () => {
    fc.assert(
      fc.property(anyBytes, cutsOf, (bytes, cuts) => {
        const whole = new TextDecoder().decode(bytes);
        // the library leaves a CR at the very end undecided; two LFs after the body would close its last frame, which is finish's business
        const expected = libraryData(whole.endsWith('\r') ? `${whole}\u0000` : whole);
        const state = createStream({ codec: 'sse' });
        const frames: Frame[] = [];
        const borders = [0, ...within(bytes, cuts).sort((a, b) => a - b), bytes.length];
        for (let i = 1; i < borders.length; i++) frames.push(...feed(state, bytes.slice(borders[i - 1], borders[i]), i));
        frames.push(...finish(state, 99).frames.filter((frame) => !frame.faults.includes('unterminated-frame')));
        const seen = frames.map((frame) =>
          libraryData(
            new TextDecoder('utf-8', { ignoreBOM: frame.offset > 0 }).decode(bytes.slice(frame.offset, frame.offset + frame.length)).replace(/\r$/, '\r\n'),
          ),
        );
        expect(seen).toEqual(expected.map((data) => [data]));
        expect(frames.map((frame) => frame.values)).toEqual(expected.map(valuesOf));
      }),
      { numRuns: 3000 },
    );
  });

  it('report the same frames for any chunking, also with the state cloned between chunks', () => {
    fc.assert(
      fc.property(anyBytes, cutsOf, fc.boolean(), (bytes, cuts, clone) => {
        expect(timeless(runCut(bytes, within(bytes, cuts), { clone }))).toEqual(timeless(runCut(bytes, [])));
        expect(timeless(runCut(bytes, within(bytes, cuts), { maxFrame: 20 }))).toEqual(timeless(runCut(bytes, [], { maxFrame: 20 })));
      }),
      { numRuns: 1500 },
    );
  });

  it('splitRaw lies end to end over the bytes and numbers the frames that feed reports', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const raw = splitRaw(bytes);
        let at = 0;
        for (const frame of raw) {
          expect(frame.offset).toBe(at);
          at += frame.length;
        }
        expect(at).toBe(bytes.length);
        const bearing = raw.filter((frame) => frame.no !== null);
        expect(bearing.map((frame) => [frame.no, frame.offset])).toEqual(runCut(bytes, []).frames.map((frame) => [frame.no, frame.offset]));
      }),
      { numRuns: 1000 },
    );
  });
});

/** What §4.12 makes of a payload, written a second time and plainly. */
function valuesOf(data: string): unknown[] {
  const object = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return data.trim() === '{"a":1}{"b":2}' ? [{ a: 1 }, { b: 2 }] : severalOf(data);
  }
  if (Array.isArray(value)) return value.filter(object);
  if (typeof value !== 'string') return [value];
  try {
    const inner = JSON.parse(value);
    return object(inner) ? [inner] : [];
  } catch {
    return [];
  }
}

/** Objects in a row, by trying every border. */
function severalOf(data: string): unknown[] {
  const values: unknown[] = [];
  let rest = data.trim();
  while (rest !== '') {
    let taken = 0;
    for (let end = 1; end <= rest.length && taken === 0; end++) {
      try {
        const value = JSON.parse(rest.slice(0, end));
        if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
        values.push(value);
        taken = end;
      } catch {}
    }
    if (taken === 0) return [];
    rest = rest.slice(taken).trim();
  }
  return values.length > 1 ? values : [];
}

it('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), cutsOf, fc.constantFrom<Codec | 'auto'>('sse', 'ndjson', 'json', 'proto', 'auto'), (bytes, cuts, codec) => {
      runCut(bytes, within(bytes, cuts), { codec });
    }),
    { numRuns: 3000 },
  );
});
