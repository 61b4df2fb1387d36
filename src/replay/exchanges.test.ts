/** The exchanges of a capture, where it does not hold all of each. */
import { describe, expect, it } from 'vitest';
import type { CaptureRecord, Carrier } from '../capture/types.ts';
import { carriesEvents, exchangesOf, matchExchange } from './exchanges.ts';
import { utf8 } from './text.ts';

const request = (url: string, body?: string, carrier: Carrier = 'fetch', conn = 0): CaptureRecord => ({
  ...{ kind: 'request', conn, carrier, document: null },
  request: { url, method: 'post', time: 100, ...(body === undefined ? {} : { body: { kind: 'text', text: body } }) },
});
const response = (status: number, more: { statusText?: string; contentType?: string } = {}): CaptureRecord => ({
  ...{ kind: 'response', conn: 0 },
  response: { time: 150, status, contentType: 'text/event-stream', ...more },
});
const chunk = (came: number, text = 'data: {}\n\n'): CaptureRecord => ({ kind: 'chunk', conn: 0, asked: came, came, bytes: utf8(text) });
const end = (time: number): CaptureRecord => ({ kind: 'end', conn: 0, end: { time, how: 'network-error' } });
const gap: CaptureRecord = { kind: 'gap', conn: 0, gap: { time: 160, bytes: 7, chunks: 1, why: 'w' } };

describe('an exchange', () => {
  it('has its request, the times from its head on, and how many bytes are missing', () => {
    const replay: CaptureRecord = { kind: 'replay', conn: 0, replay: { time: 101, of: 'r' } };
    const records = [
      request('http://a/agent?x=1', '{"threadId":"t","runId":"r","messages":[]}'),
      replay,
      response(201, { statusText: 'Made' }),
      chunk(160),
      gap,
      gap,
      chunk(190),
      end(200),
    ];
    expect(exchangesOf(records)).toMatchObject([
      {
        ...{ no: 1, conn: 0, carrier: 'fetch', method: 'POST', path: '/agent?x=1', threadId: 't', runId: 'r', status: 201, statusText: 'Made' },
        ...{ wait: 50, answered: true, bytes: 20, missingBytes: 14, end: 'network-error', endAfter: 50 },
        chunks: [{ after: 10 }, { after: 40 }],
      },
    ]);
  });

  it('of which the start is missing begins with what there is', () => {
    expect(exchangesOf([chunk(160), chunk(190)])).toMatchObject([{ wait: 0, status: 200, answered: true, end: 'open', endAfter: 30 }]);
    expect(exchangesOf([end(200)])).toMatchObject([{ wait: 0, answered: false, path: '/', endAfter: 200 }]);
    expect(exchangesOf([request('http://a/'), chunk(160)])).toMatchObject([{ wait: 60 }]);
    expect(exchangesOf([request('http://a/'), gap])).toEqual([]);
  });

  it('with a status that no answer can have is answered with 200', () => {
    for (const status of [0, 101, 600]) expect(exchangesOf([response(status)])).toMatchObject([{ status: 200 }]);
  });

  it('whose address or body is none still answers', () => {
    const [odd] = exchangesOf([request('http://[', 'not JSON'), response(200)]);
    expect(odd).toMatchObject({ path: '/', threadId: null, runId: null });
    expect(matchExchange([odd!], new Map(), { method: 'POST', path: '/elsewhere', body: '' })).toBe(odd);
    expect(matchExchange([odd!], new Map(), { method: 'GET', path: '/elsewhere', body: '' })).toBeNull();
  });
});

it.each([
  ['an event stream', 'text/event-stream', 'fetch', undefined, true],
  ['JSON lines', 'application/x-ndjson', 'fetch', undefined, true],
  ['an EventSource', '', 'eventsource', undefined, true],
  ['a file', '', 'file', undefined, true],
  ['what a run was asked of', 'application/json', 'fetch', '{"threadId":"t","runId":"r","messages":[]}', true],
  ['a picture', 'image/png', 'fetch', undefined, false],
] as const)('events are to be expected in %s: %s', (_, contentType, carrier, body, expected) => {
  const [exchange] = exchangesOf([request('http://a/', body, carrier), response(200, { contentType })]);
  expect(carriesEvents(exchange!)).toBe(expected);
});
