/** How an answer is given: which requests it is for, in what acts, and cut into which steps. */
import { encode } from '@ag-ui/proto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actsOf } from './acts.ts';
import { patternFor, patternSource } from './pattern.ts';
import { stepsOf } from './steps.ts';
import type { Answer } from './types.ts';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const fits = (pattern: string, url: string) => new RegExp(patternSource(pattern)).test(url);

const EVENTS = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'CUSTOM', name: 'ü', value: 1 },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
];
const answerOf = (parts: readonly Uint8Array[], more: Partial<Answer> = {}): Answer => ({
  ...{ status: 200, contentType: 'text/event-stream', wait: 100, answered: true, end: 'complete', endAfter: 900 },
  chunks: parts.map((bytes, index) => ({ after: index * 50, bytes: bytes as Uint8Array<ArrayBuffer> })),
  ...more,
});
const whole = (answer: Answer) => Buffer.concat(stepsOf(answer).map(({ bytes }) => bytes));

describe('a pattern', () => {
  it('is the address itself but for its stars', () => {
    expect(fits('http://a/agent', 'http://a/agent')).toBe(true);
    expect(fits('http://a/agent', 'http://a/agent?x=1')).toBe(false);
    expect(fits('*/agent', 'http://a.example/v1/agent')).toBe(true);
    expect(fits('http://a*z', 'http://abcz')).toBe(true);
    expect(fits('http://a.b/(c)+[d]?', 'http://a.b/(c)+[d]?')).toBe(true);
    expect(fits('http://a.b/', 'http://aXb/')).toBe(false);
  });

  it('without a star fits one address alone, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        fc.webUrl(),
        (one, other) => fits(one.replaceAll('*', ''), one.replaceAll('*', '')) && fits(one, other) === (one === other),
      ),
    );
  });

  it('made for a path fits it on any server and with any query', () => {
    const pattern = patternFor('/agents/7?token=1#x');
    expect(fits(pattern, 'https://elsewhere.example/agents/7?token=2')).toBe(true);
    expect(fits(pattern, 'https://elsewhere.example/agents/8')).toBe(false);
    expect(fits(patternFor('/a*b'), 'http://a/a*b'), 'a star of the path is no star of the pattern').toBe(false);
    expect(fits(patternFor('/a*b'), 'http://a/a%2Ab')).toBe(true);
  });
});

describe('acts', () => {
  const answer = answerOf([bytesOf('a'), bytesOf('b')], { statusText: 'Fine' });

  it('are head, bytes and end, at the recorded pace, twice it, or at once', () => {
    const times = (pace: number) => actsOf(answer, pace).map(({ after }) => after);
    expect(actsOf(answer, 1).map(({ kind }) => kind)).toEqual(['head', 'bytes', 'bytes', 'end']);
    expect(actsOf(answer, 1)[0]).toEqual({ kind: 'head', after: 100, status: 200, statusText: 'Fine', contentType: 'text/event-stream' });
    expect(times(1)).toEqual([100, 100, 150, 1000]);
    expect(times(2)).toEqual([50, 50, 75, 500]);
    expect(times(Number.POSITIVE_INFINITY)).toEqual([0, 0, 0, 0]);
  });

  it('have no head where none came, and end as the recording did', () => {
    const failed = answerOf([], { answered: false, end: 'network-error' });
    expect(actsOf(failed, 1)).toEqual([{ kind: 'end', after: 1000, how: 'network-error' }]);
    for (const end of ['open', 'aborted', 'cancelled'] as const)
      expect(actsOf(answerOf([], { end } as Partial<Answer>), 1).at(-1)).toMatchObject({ how: 'open' });
  });
});

describe('steps', () => {
  const sse = bytesOf(EVENTS.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

  it('end with an event each, wherever the chunks were cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(sse.length), { maxLength: 6 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), sse.length];
        const answer = answerOf(at.slice(1).map((to, index) => sse.slice(at[index], to)));
        expect(stepsOf(answer).map(({ types, events }) => [types, events])).toEqual(EVENTS.map(({ type }, index) => [[type], index + 1]));
        expect(whole(answer).equals(Buffer.from(sse))).toBe(true);
      }),
    );
  });

  it('keep comments with the event behind them, and what follows the last event as a step without one', () => {
    const answer = answerOf([bytesOf(': hi\n\ndata: {"type":"A"}\n\ndata: {"type":"B"}\n\n: bye\n\ndata: {"ty')], { end: 'network-error' });
    expect(stepsOf(answer).map(({ types, events }) => [types, events])).toEqual([
      [['A'], 1],
      [['B'], 2],
      [[], 2],
    ]);
    expect(new TextDecoder().decode(stepsOf(answer)[0]!.bytes)).toBe(': hi\n\ndata: {"type":"A"}\n\n');
    expect(whole(answer).equals(Buffer.from(answer.chunks[0]!.bytes))).toBe(true);
  });

  it('pass over what is no event', () => {
    const answer = answerOf([bytesOf('data: {"type":"A"}\n\ndata: [DONE]\n\ndata: {"type":"B"}\n\n')]);
    expect(stepsOf(answer).map(({ types, events }) => [types, events])).toEqual([
      [['A'], 1],
      [['B'], 2],
    ]);
  });

  it('are events of protobuf too, and chunks where nothing can be decoded', () => {
    const frames = EVENTS.map((event) => {
      const body = encode(event as Parameters<typeof encode>[0]);
      return Buffer.concat([Buffer.from(new Uint8Array(new Uint32Array([body.length]).buffer).reverse()), body]);
    });
    const proto = answerOf([Buffer.concat(frames)], { contentType: 'application/vnd.ag-ui.event+proto' });
    expect(stepsOf(proto).map(({ types }) => types)).toEqual(EVENTS.map(({ type }) => [type]));
    const opaque = answerOf([bytesOf('<p>'), bytesOf('</p>')], { contentType: 'text/html' });
    expect(whole(opaque).toString()).toBe('<p></p>');
    expect(stepsOf(answerOf([]))).toEqual([]);
  });
});
