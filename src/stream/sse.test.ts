import { describe, expect, it } from 'vitest';
import { createStream, feed, finish } from './index.ts';
import { splitRaw } from './raw.ts';
import { runCut } from './testing.ts';

const encoder = new TextEncoder();
const sse = (text: string, options: Parameters<typeof runCut>[2] & { cuts?: number[] } = {}) => runCut(encoder.encode(text), options.cuts ?? [], options);

describe('faults of a frame', () => {
  const only = (text: string) => {
    const { frames } = sse(text);
    expect(frames).toHaveLength(1);
    return frames[0]!;
  };

  it.each(['data: {"a":1}\r\n\r\n', 'data: {"a":1}\r\r', 'event: e\r\ndata: {"a":1}\n\n'])('line-endings: %j', (text) => {
    expect(only(text)).toMatchObject({ values: [{ a: 1 }], faults: ['line-endings'], offset: 0, length: text.length });
  });

  it.each(['data: [DONE]\n\n', 'data:\n\n', 'data: {"a":1\n\n', 'data: data: {"a":1}\n\n', 'data: 1 2\n\n', 'data:x{"a":1}\n\n', 'data: {"a":1} x\n\n'])(
    'frame-not-json: %j',
    (text) => {
      const frame = only(text);
      expect(frame).toMatchObject({ values: [], faults: ['frame-not-json'] });
      expect(frame.text).toBe(text.slice(5).replace(/^ /, '').trimEnd());
    },
  );

  it.each([
    ['data: [{"a":1},{"b":2}]\n\n', [{ a: 1 }, { b: 2 }]],
    ['data: "{\\"a\\":1}"\n\n', [{ a: 1 }]],
    ['data: "data: {\\"a\\":1}\\n\\n"\n\n', []],
    ['data: {"a":1}{"b":"}{"}\n\n', [{ a: 1 }, { b: '}{' }]],
    ['data: {"a":1}\ndata: {"b":2}\n\n', [{ a: 1 }, { b: 2 }]],
    ['data: []\n\n', []],
    ['data: {"a":"\\"}"}{"b":2}\n\n', [{ a: '"}' }, { b: 2 }]],
  ])('frame-not-one-event: %j', (text, values) => {
    expect(only(text)).toMatchObject({ values, faults: ['frame-not-one-event'] });
  });

  it.each([
    ['data: 5\n\n', 5],
    ['data: true\n\n', true],
    ['data: null\n\n', null],
  ])('a bare value is a value, for the schema to judge: %j', (text, value) => {
    expect(only(text)).toMatchObject({ values: [value], faults: [] });
  });

  it('joins data lines by LF and takes no space after the colon', () => {
    expect(only('data:{\ndata:"a":\ndata: 1}\n\n')).toMatchObject({ values: [{ a: 1 }], faults: [] });
  });

  it('keeps __proto__ an ordinary key', () => {
    const [value] = only('data: {"__proto__":{"x":1},"type":"A"}\n\n').values as [Record<string, unknown>];
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(value['x']).toBeUndefined();
  });

  it('cuts the text of a bad frame at 2,000 characters', () => {
    expect(only(`data: ${'x'.repeat(5000)}\n\n`).text).toHaveLength(2000);
  });
});

describe('the end of the body', () => {
  it('a frame without its blank line is a value and a fault', () => {
    expect(sse('data: {"a":1}\n\ndata: {"b":2}')).toMatchObject({
      cut: false,
      frames: [{ faults: [] }, { values: [{ b: 2 }], faults: ['unterminated-frame'], offset: 15, length: 13 }],
    });
    expect(sse('data: {"b":2}\n')).toMatchObject({ cut: false, frames: [{ values: [{ b: 2 }], faults: ['unterminated-frame'] }] });
  });

  it('tells both faults of a last frame with CRs', () => {
    expect(sse('data: {"b":2}\r\n').frames).toMatchObject([{ values: [{ b: 2 }], faults: ['line-endings', 'unterminated-frame'] }]);
  });

  it('a remainder that does not parse is one fault, its text kept', () => {
    const { frames, cut } = sse('data: {"a":1}\n\ndata: {"type":"RUN_FINI');
    expect(cut).toBe(true);
    expect(frames[1]).toMatchObject({ values: [], faults: ['unterminated-frame'], text: '{"type":"RUN_FINI' });
  });

  it('is no fault of the frame where the connection broke', () => {
    const state = createStream({ codec: 'sse' });
    feed(state, encoder.encode('data: {"type":"TEXT_MESS'), 1);
    expect(finish(state, 2, false)).toMatchObject({ cut: true, frames: [{ values: [], faults: [], text: '{"type":"TEXT_MESS' }] });
  });

  it.each([
    ['', false],
    [': ping', false],
    [': ping\n', false],
    ['dat', true],
    ['event: RUN', true],
  ])('without data in it: %j', (text, cut) => {
    expect(sse(text)).toEqual({ frames: [], cut });
  });

  it('a frame that ends in CR CR needs no byte after it', () => {
    expect(sse('data: {"a":1}\r\r')).toMatchObject({ cut: false, frames: [{ faults: ['line-endings'], length: 15 }] });
  });
});

describe('times', () => {
  it('a frame has the time of its last byte', () => {
    const { frames } = sse('data: {"a":1}\n\ndata: {"b":2}\n\n', { cuts: [5, 15, 20] });
    expect(frames.map((frame) => frame.time)).toEqual([2, 4]);
  });

  it('a CR that turns out to be the last byte gives its own time, not that of the chunk that told', () => {
    const { frames } = sse('data: {"a":1}\r\rdata: {"b":2}\r\r', { cuts: [15] });
    expect(frames[0]).toMatchObject({ time: 1, length: 15 });
  });
});

describe('frames over the limit', () => {
  const big = `data: {"a":"${'x'.repeat(100)}"}\n\n`;

  it('are passed over with their head and size, and reading goes on', () => {
    for (const cuts of [[], [10, 30, 60, 90, 110]]) {
      const { frames } = sse(`${big}data: {"b":2}\n\n`, { maxFrame: 50, cuts });
      expect(frames).toMatchObject([
        { values: [], faults: ['frame-too-large'], offset: 0, length: big.length },
        { values: [{ b: 2 }], faults: [], offset: big.length },
      ]);
      expect(frames[0]!.text!.startsWith('data: {"a":"xxx')).toBe(true);
    }
  });

  it('count characters, not bytes', () => {
    const text = `data: {"a":"${'é😀'.repeat(30)}"}\n\n`;
    for (const cuts of [[], [40, 100]]) {
      expect(sse(text, { maxFrame: text.length, cuts }).frames[0]!.faults).toEqual([]);
      expect(sse(text, { maxFrame: text.length - 1, cuts }).frames[0]!.faults).toEqual(['frame-too-large']);
    }
  });

  it('hold no more than the limit while they last, and are reported when the body ends', () => {
    const state = createStream({ codec: 'sse', maxFrame: 1 << 21 });
    const chunk = encoder.encode('x'.repeat(1 << 18));
    feed(state, encoder.encode('data: {"type":"STATE_SNAPSHOT","snapshot":"'), 0);
    for (let i = 0; i < 50; i++) {
      feed(state, chunk, i);
      expect(state.held.length).toBeLessThanOrEqual(2 * state.maxFrame);
    }
    expect(state.held.length).toBe(0);
    const { frames, cut } = finish(state, 60);
    expect(cut).toBe(true);
    expect(frames).toMatchObject([{ faults: ['frame-too-large'], values: [], length: 43 + 50 * (1 << 18) }]);
  });
});

it('splitRaw tells every line as sent', () => {
  const text = '\ufeff: hi\n\n\nevent: e\r\ndata: é\r\n\r\nretry: 5\n\ndata: x';
  expect(splitRaw(encoder.encode(text))).toEqual([
    { no: null, offset: 0, length: 10, text: '\ufeff: hi\n\n\n' },
    { no: 0, offset: 10, length: 22, text: 'event: e\r\ndata: é\r\n\r\n' },
    { no: null, offset: 32, length: 10, text: 'retry: 5\n\n' },
    { no: 1, offset: 42, length: 7, text: 'data: x' },
  ]);
});
