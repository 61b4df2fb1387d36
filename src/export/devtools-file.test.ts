import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { addRecord, createSession } from '../session/index.ts';
import { goodRun } from '../session/testkit.ts';
import { readAny } from './index.ts';
import { eventsOf } from './redact-testing.ts';

const AT = '2026-12-01T10:00:00.000Z';
const START = Date.parse(AT);
const HEADER = { kind: 'header', schemaVersion: 1, capturedAt: AT, url: 'http://localhost:3000/chat' };
const decoder = new TextDecoder();

const lineOf = (line: unknown): string => (typeof line === 'string' ? line : JSON.stringify(line));
const fileOf = (...lines: readonly unknown[]): string => lines.map((line) => `${lineOf(line)}\n`).join('');
const read = (text: string) => readAny(new TextEncoder().encode(text), 'x.agui.jsonl', { as: 'ag-ui-devtools', time: 7 });
const ofConn = (records: readonly CaptureRecord[], conn: number) => records.filter((record) => record.conn === conn);
const bodies = (records: readonly CaptureRecord[]) => records.flatMap((record) => (record.kind === 'chunk' ? [decoder.decode(record.bytes)] : []));
const ends = (records: readonly CaptureRecord[]) => records.flatMap((record) => (record.kind === 'end' ? [record.end.how] : []));
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('a capture of the AG-UI DevTools extension', () => {
  const events = goodRun('r1');
  const file = fileOf(
    HEADER,
    { kind: 'request', connId: 'a', tMs: 10, url: 'http://localhost:8000/agent', method: 'POST', input: { threadId: 't', runId: 'r1' } },
    { kind: 'event', connId: 'a', tMs: 12.5, event: events[0] },
    '',
    { kind: 'event', connId: 'b', tMs: 13, event: { type: 'RUN_STARTED', threadId: 't', runId: 'other' } },
    { kind: 'keepalive', connId: 'a' },
    ...events.slice(1).map((event, no) => ({ kind: 'event', connId: 'a', tMs: 20 + no, event })),
  );

  it('is told by its header, and gives a connection a connId with its request, events and times', () => {
    const { kind, problems, redacted, records } = readAny(new TextEncoder().encode(file), 'x');
    expect({ kind, problems, redacted }).toEqual({ kind: 'ag-ui-devtools', problems: [], redacted: null });
    const [request, response, first, alive] = ofConn(records, 0);
    expect(request).toMatchObject({
      carrier: 'file',
      document: { url: 'http://localhost:3000/chat', time: START },
      request: {
        url: 'http://localhost:8000/agent',
        method: 'POST',
        time: START + 10,
        body: { kind: 'text', text: '{"threadId":"t","runId":"r1"}', size: 29 },
      },
    });
    expect(response).toMatchObject({ response: { time: START + 10, status: 200, contentType: 'text/event-stream' } });
    expect(first).toMatchObject({ kind: 'chunk', asked: START + 12.5, came: START + 12.5 });
    // a line without a time came with the one before
    expect(alive).toMatchObject({ kind: 'chunk', came: START + 12.5 });
    expect(bodies(records)[2]).toBe(':\n\n');
    expect(eventsOf(ofConn(records, 0))).toEqual(events);
    expect(ofConn(records, 1)[0]).toMatchObject({ request: { url: '', method: '', time: START + 13 } });
    expect(ends(records)).toEqual(['complete', 'complete']);
  });

  it('is judged like what a page received', () => {
    const session = createSession();
    for (const record of read(file).records) addRecord(session, record);
    expect(session.model.runs.map(({ status }) => status)).toEqual(['succeeded', 'truncated']);
  });

  it('times never fall, and begin where the reader says when the file does not', () => {
    for (const capturedAt of [undefined, 5, 'some time ago']) {
      const { records } = read(fileOf({ ...HEADER, capturedAt, url: 9 }, ...[5, 3, 'x', null].map((tMs) => ({ kind: 'event', connId: 'a', tMs, event: {} }))));
      expect(records[0]).toMatchObject({ document: null, request: { time: 12 } });
      expect(records.flatMap((record) => (record.kind === 'chunk' ? [record.came] : []))).toEqual([12, 12, 12, 12]);
    }
    expect(read(fileOf({ kind: 'keepalive', connId: 'a' })).records[0]).toMatchObject({ request: { time: 7 } });
  });

  it('a connection ends as its close line says, once', () => {
    const reasons: readonly [unknown, string][] = [
      ['aborted by the page', 'aborted'],
      ['network error', 'network-error'],
      ['done', 'complete'],
      [undefined, 'complete'],
      [{ toString: 1 }, 'complete'],
    ];
    for (const [reason, how] of reasons) {
      const close = { kind: 'close', connId: 'a', tMs: 9, reason };
      expect(ends(read(fileOf(HEADER, { kind: 'event', connId: 'a', event: {} }, close, close)).records), how).toEqual([how]);
    }
  });

  it('what was no JSON when it was captured is given as it was, also over several lines', () => {
    const { records } = read(
      fileOf(
        HEADER,
        { kind: 'event', connId: 'a', raw: 'not\r\nJSON' },
        { kind: 'event', connId: 'a', event: null, raw: '[DONE]' },
        { kind: 'event', connId: 'a' },
      ),
    );
    expect(bodies(records)).toEqual(['data: not\ndata: JSON\n\n', 'data: [DONE]\n\n', 'data: null\n\n']);
  });

  it('one that is redacted says so, and the rules that look at content are not judged', () => {
    const { redacted, records } = read(
      fileOf({ ...HEADER, redacted: ['toolArgs', 'text', 'headers', { toString: 1 }] }, { kind: 'event', connId: 'a', event: {} }),
    );
    expect(redacted?.groups).toEqual(['text', 'tool']);
    expect(redacted?.rules).toContain('tool-args-not-json');
    expect(records[1]).toEqual({ kind: 'findings', conn: 0, rules: redacted?.rules, findings: [] });
    for (const none of [[], 'text', undefined]) expect(read(fileOf({ ...HEADER, redacted: none })).redacted).toBeNull();
  });
});

describe('one that is not in order', () => {
  it.each([
    ['nonsense', 'Line 2 is not a JSON object and was left out.'],
    ['[]', 'Line 2 is not a JSON object and was left out.'],
    ['null', 'Line 2 is not a JSON object and was left out.'],
    ['{}', 'Line 2 was left out: its kind is missing or is not one this format has.'],
    [{ kind: 'x'.repeat(50) }, `Line 2 was left out: its kind "${'x'.repeat(40)}" is not one this format has.`],
    [{ kind: 'event', event: {} }, 'Line 2 was left out: it names no connection ("connId").'],
    [{ kind: 'close', connId: 5 }, 'Line 2 was left out: it names no connection ("connId").'],
    [`{"kind":"event","connId":"a","event":${deep(100_000)}}`, 'Line 2 was left out: its event is nested too deeply.'],
  ])('keeps the rest: %.60j', (line, message) => {
    const { problems, records } = read(fileOf(HEADER, line, { kind: 'event', connId: 'a', event: { type: 'A' } }));
    expect(problems).toEqual([{ line: 2, message }]);
    expect(eventsOf(records)).toEqual([{ type: 'A' }]);
  });

  it('a request nested too deeply is a request without a body', () => {
    const { problems, records } = read(fileOf(HEADER, `{"kind":"request","connId":"a","url":"u","input":${deep(100_000)}}`));
    expect(problems).toEqual([]);
    expect(records[0]).toMatchObject({ request: { url: 'u' } });
    expect(records[0]).not.toHaveProperty('request.body');
  });

  it('without an event says so, and of many problems the first hundred', () => {
    expect(read(fileOf(HEADER)).problems).toEqual([{ line: null, message: 'There is no event in the file.' }]);
    const { problems } = read(fileOf(HEADER, ...Array.from({ length: 150 }, () => '5')));
    expect(problems).toHaveLength(102);
    expect(problems.slice(100).map(({ message }) => message)).toEqual(['50 more lines could not be read.', 'There is no event in the file.']);
  });

  it('reads a last line without an end', () => {
    expect(eventsOf(read(`${fileOf(HEADER)}{"kind":"event","connId":"a","event":{"type":"A"}}`).records)).toEqual([{ type: 'A' }]);
  });
});
