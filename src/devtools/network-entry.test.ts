import { describe, expect, it } from 'vitest';
import { isCaptureRecord } from '../wire/panel-message.ts';
import { askerOf, type Entry, headOf, isHooked, isWanted, nameOf, showsWorker, wholeOf } from './network-entry.ts';
import { entryOf, RUN } from './testkit.ts';

const OURS = 'chrome-extension://ours/';

const withHeaders = (entry: Entry, headers: Readonly<Record<string, string>>): Entry => ({
  ...entry,
  request: { ...entry.request, headers: Object.entries(headers).map(([name, value]) => ({ name, value })) },
});
const calledBy = (entry: Entry, url: string): Entry => ({ ...entry, _initiator: { type: 'script', stack: { callFrames: [{ url }] } } });

describe('whose an entry is', () => {
  it('is the hook’s when the hook called the browser, and a page’s EventSource', () => {
    expect(isHooked(calledBy(entryOf(), `${OURS}src/page/hook.iife.js`), OURS)).toBe(true);
    expect(isHooked({ ...entryOf(), _resourceType: 'eventsource', _initiator: { type: 'other' } }, OURS)).toBe(true);
    expect(isHooked(entryOf(), OURS)).toBe(false);
    expect(isHooked({ ...entryOf(), _initiator: { type: 'other' } }, OURS)).toBe(false);
  });

  it('tells of a worker by its script or by code that the hook is not in', () => {
    const script = { ...entryOf(), _resourceType: 'script', _initiator: { type: 'other' } };
    expect(showsWorker(withHeaders(script, { 'Sec-Fetch-Dest': 'worker' }), OURS)).toBe(true);
    expect(showsWorker(withHeaders(script, { 'Service-Worker': 'script' }), OURS)).toBe(true);
    expect(showsWorker({ ...script, request: { ...script.request, url: 'blob:http://localhost/1' } }, OURS)).toBe(true);
    expect(showsWorker(withHeaders(script, { 'Sec-Fetch-Dest': 'script' }), OURS)).toBe(false);
    expect(showsWorker(entryOf(), OURS)).toBe(true);
    expect(showsWorker(calledBy(entryOf(), `${OURS}hook.js`), OURS)).toBe(false);
    expect(showsWorker({ ...entryOf(), _initiator: { type: 'other' } }, OURS)).toBe(false);
  });

  it('names the origin that asked by what there is', () => {
    const bare = calledBy(withHeaders(entryOf(), {}), 'blob:http://localhost:3/x');
    expect(askerOf(withHeaders(bare, { Origin: 'http://localhost:1', Referer: 'http://localhost:2/w.js' }))).toBe('http://localhost:1');
    expect(askerOf(withHeaders(bare, { Origin: 'null', Referer: 'http://localhost:2/w.js' }))).toBe('http://localhost:2');
    expect(askerOf(bare)).toBe('http://localhost:3');
    expect(askerOf(calledBy(bare, ''))).toBeNull();
  });
});

describe('which entries are wanted', () => {
  const plain = entryOf({ type: 'text/plain', text: '{}' });
  it('goes by type, Accept and body, as in a page', () => {
    expect(isWanted(plain)).toBe(false);
    expect(isWanted(entryOf({ text: '' }))).toBe(true);
    expect(isWanted(withHeaders(plain, { accept: 'text/event-stream' }))).toBe(true);
    for (const text of ['{"threadId":"t"}', '{"run_id":"r"}', '{"messages":[]}', '{"input":{"runId":"r"}}'])
      expect(isWanted(entryOf({ type: 'text/html', text }))).toBe(true);
    for (const text of ['{"threadId":1}', '[{"threadId":"t"}]', '"threadId":', '{"a":{"b":{"runId":"r"}}}'])
      expect(isWanted(entryOf({ type: 'text/html', text }))).toBe(false);
  });

  it('leaves preflights, documents and sockets', () => {
    const entry = entryOf();
    expect(isWanted({ ...entry, request: { ...entry.request, method: 'OPTIONS' } })).toBe(false);
    for (const _resourceType of ['document', 'websocket', 'preflight', 'script']) expect(isWanted({ ...entry, _resourceType })).toBe(false);
  });
});

describe('records of an entry', () => {
  it('tells what there is while it is open', () => {
    expect(headOf(entryOf())).toEqual([
      {
        kind: 'request',
        conn: 0,
        carrier: 'network-log',
        document: null,
        request: {
          url: 'http://localhost/agent',
          method: 'POST',
          time: 1_000,
          body: { kind: 'text', text: RUN },
          stack: '    at read (http://localhost/worker.js:3:26)\n    at http://localhost/worker.js:17:44',
        },
      },
      {
        kind: 'response',
        conn: 0,
        response: { time: 1_045, status: 200, statusText: 'OK', contentType: 'text/event-stream; charset=utf-8', url: 'http://localhost/agent' },
      },
    ]);
    expect(headOf(entryOf({ status: 0 }))).toHaveLength(1);
  });

  it('gives every byte the time of the end, in pieces the journal takes', () => {
    const text = 'ü'.repeat(50_000);
    const records = wholeOf(entryOf(), { text, encoding: '' }) ?? [];
    const chunks = records.filter((record) => record.kind === 'chunk');
    expect(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()).toBe(text);
    expect(chunks.map(({ came, asked, bytes }) => [came, asked, bytes.length])).toEqual([
      [1_250, 1_250, 61_440],
      [1_250, 1_250, 38_560],
    ]);
    expect(records.at(-1)).toEqual({ kind: 'end', conn: 0, end: { time: 1_250, how: 'complete' } });
    expect(records.every(isCaptureRecord)).toBe(true);
  });

  it('restores the bytes of text that the log took for Windows-1252', () => {
    const text = 'data: 22 °C, “sunny” €5 🌞\n\n';
    const bytes = new TextEncoder().encode(text);
    const misread = new TextDecoder('windows-1252').decode(bytes);
    for (const told of [text, misread]) {
      const [, , chunk] = wholeOf(entryOf({ size: bytes.length }), { text: told, encoding: '' }) ?? [];
      expect(chunk).toMatchObject({ kind: 'chunk', bytes });
    }
  });

  it('writes down what DevTools parsed of a body that it does not give', () => {
    const parsed = [
      { eventName: 'message', eventId: '', data: '{}' },
      { eventName: 'RUN_STARTED', eventId: '7', data: 'a\nb' },
      { eventName: '', eventId: '7', data: 'c' },
    ];
    const records = wholeOf({ ...entryOf({ error: 'net::ERR_ABORTED' }), _eventSourceMessages: parsed }, { text: null, encoding: '' }) ?? [];
    expect(new TextDecoder().decode((records[2] as { bytes: Uint8Array }).bytes)).toBe(
      'data: {}\n\nevent: RUN_STARTED\nid: 7\ndata: a\ndata: b\n\ndata: c\n\n',
    );
    expect(records.map(({ kind }) => kind)).toEqual(['request', 'response', 'chunk', 'end']);
  });

  it('takes binary bodies out of their base64', () => {
    const [, , chunk] = wholeOf(entryOf(), { text: 'AAEC/w==', encoding: 'base64' }) ?? [];
    expect(chunk).toMatchObject({ kind: 'chunk', bytes: Uint8Array.from([0, 1, 2, 255]) });
  });

  it.each([
    ['too large', { size: 21_000_000 }, 'complete', 'some 16 MB at most, and this one had 21.0 MB'],
    ['given up', { error: 'net::ERR_ABORTED' }, 'aborted', 'given up'],
    ['broken off', { error: 'net::ERR_CONNECTION_RESET' }, 'network-error', 'broke'],
  ] as const)('names a body that is not there: %s', (_, told, how, why) => {
    const records = wholeOf(entryOf(told), { text: null, encoding: '' }) ?? [];
    expect(records.map(({ kind }) => kind)).toEqual(['request', 'response', 'gap', 'end']);
    expect(records[2]).toMatchObject({ gap: { why: expect.stringContaining(why) } });
    expect(records[3]).toMatchObject({ end: { how } });
  });

  it('tells of an exchange that was never answered', () => {
    const records = wholeOf(entryOf({ status: 0, error: 'net::ERR_FAILED' }), { text: null, encoding: '' }) ?? [];
    expect(records.map(({ kind }) => kind)).toEqual(['request', 'end']);
    expect(records[1]).toMatchObject({ end: { how: 'network-error', message: 'net::ERR_FAILED' } });
  });

  it('passes over what a service worker passed on', () => {
    expect(wholeOf(entryOf(), { text: '', encoding: '' })).toBeNull();
    expect(wholeOf(entryOf({ status: 500 }), { text: '', encoding: '' })).not.toBeNull();
  });

  it('throws on no entry, however poor', () => {
    const poor = {
      startedDateTime: 'never',
      time: Number.NaN,
      request: { method: 'GET', url: '', headers: [] },
      response: { status: 200, statusText: '', headers: [], content: {} },
    };
    expect((wholeOf(poor, { text: null, encoding: '' }) ?? []).map(({ kind }) => kind)).toEqual(['request', 'response', 'gap', 'end']);
    expect([isWanted(poor), isHooked(poor, OURS), showsWorker(poor, OURS), askerOf(poor), nameOf(poor)]).toEqual([false, false, false, null, 'never GET  ']);
  });
});
