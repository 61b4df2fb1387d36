import { describe, expect, it } from 'vitest';
import type { CaptureRecord, EndHow } from '../capture/types.ts';
import cases from '../checker/fixtures/field-cases.json' with { type: 'json' };
import { statusOf } from '../checker/index.ts';
import { readAny } from '../export/index.ts';
import { checkRecords } from './check-stream.ts';

const encoder = new TextEncoder();
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };

/** A connection's records, its body cut where told. */
function records(
  chunks: readonly string[],
  how: EndHow = 'complete',
  fields: { conn?: number; status?: number; contentType?: string; body?: unknown } = {},
): CaptureRecord[] {
  const { conn = 0, status = 200, contentType = 'text/event-stream', body } = fields;
  return [
    { kind: 'request', conn, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time: 0 } },
    ...(body === undefined ? [] : [{ kind: 'body', conn, body: { kind: 'text', text: JSON.stringify(body) } } as const]),
    { kind: 'response', conn, response: { time: 1, status, contentType } },
    ...chunks.map((text, index) => ({ kind: 'chunk', conn, asked: index + 2, came: index + 2, bytes: encoder.encode(text) }) as const),
    { kind: 'end', conn, end: { time: 99, how } },
  ];
}

const frame = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
const ENDS: Record<string, EndHow> = { closed: 'complete', error: 'network-error', aborted: 'aborted' };

describe('field cases with bytes of their own', () => {
  const framed = cases.filter((entry) => 'chunks' in entry.transport && entry.events.length > 0);

  it.each(framed.map((entry) => [entry.id, entry] as const))('%s', (_, entry) => {
    const [conn] = checkRecords(records((entry.transport as { chunks: string[] }).chunks, ENDS[entry.end] ?? 'complete'));
    const judged = conn!.findings.filter((finding) => finding.severity !== 'advice').map(({ rule, severity, at }) => ({ rule, severity, at }));
    expect(judged).toEqual(entry.expected.findings.filter((finding) => finding.severity !== 'advice'));
    expect(conn!.runs.map(statusOf)).toEqual(entry.expected.runs ?? []);
  });
});

describe('connections of one capture', () => {
  it('are judged apart, in order of appearance', () => {
    const a = records([frame(started)], 'network-error', { conn: 3 });
    const b = records([frame(started), frame({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' })], 'complete', { conn: 1 });
    const mixed = a.flatMap((record, index) => [record, ...(b[index] ? [b[index]] : [])]).concat(b.slice(a.length));
    expect(checkRecords(mixed).map((conn) => [conn.conn, conn.end, conn.runs.map(statusOf)])).toEqual([
      [3, 'error', ['truncated']],
      [1, 'closed', ['succeeded']],
    ]);
  });

  it('an exchange that failed before any event is told, not judged', () => {
    const request = { threadId: 't', runId: 'r', messages: [] };
    const [conn] = checkRecords(records(['{"error":"no"}'], 'complete', { status: 500, contentType: 'application/json', body: request }));
    expect(conn).toMatchObject({ findings: [], runs: [], foreign: null, notes: ['The server answered 500 and no events.'] });
  });

  it('an empty answer to a run input is an empty stream', () => {
    const [conn] = checkRecords(records([], 'complete', { body: { threadId: 't', runId: 'r', messages: [] } }));
    expect(conn!.findings.map(({ rule }) => rule)).toContain('stream-empty');
  });

  it('an unknown stream is no AG-UI', () => {
    expect(checkRecords(records(['data: {"a":1}\n\n']))).toMatchObject([{ foreign: 'other event stream', findings: [] }]);
  });
});

describe('what a record tells besides its bytes', () => {
  const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };

  it('a frame that a broken connection left unfinished never counts, even if it parses', () => {
    const unfinished = [frame(started), `data: ${JSON.stringify(finished)}`];
    expect(checkRecords(records(unfinished, 'network-error'))[0]).toMatchObject({ events: 1, runs: [{ ending: 'lost', lostWhy: 'dropped' }] });
    expect(checkRecords(records(unfinished, 'complete'))[0]).toMatchObject({ events: 2, runs: [{ ending: 'finished/success' }] });
  });

  it('an EventSource hides its framing: it is not judged', () => {
    const crlf = records([frame(started), frame(finished)].map((text) => text.replaceAll('\n', '\r\n')));
    const [request, ...rest] = crlf;
    expect(checkRecords(crlf)[0]!.findings.map(({ rule }) => rule)).toEqual(['transport-line-endings']);
    expect(checkRecords([{ ...request, carrier: 'eventsource' } as CaptureRecord, ...rest])[0]!.findings).toEqual([]);
  });

  it('silence while the page waited is the producer’s, the rest is the page’s', () => {
    const [request, response, first, second, end] = records([frame(started), frame(finished)]) as [
      CaptureRecord,
      CaptureRecord,
      CaptureRecord,
      CaptureRecord,
      CaptureRecord,
    ];
    const late = (asked: number) =>
      checkRecords([
        request,
        response,
        first,
        { ...second, asked, came: 50_000 } as CaptureRecord,
        { ...end, end: { time: 50_001, how: 'complete' } } as CaptureRecord,
      ]);
    expect(late(3)[0]!.findings.map(({ rule }) => rule)).toEqual(['transport-silent-gap']);
    expect(late(49_999)[0]!.findings).toEqual([]);
  });

  it('what one exchange left open, the next on its thread must answer', () => {
    const outcome = { type: 'interrupt', interrupts: [{ id: 'i', reason: 'approve' }] };
    const first = records([frame(started), frame({ ...finished, outcome })]);
    const second = records([frame({ ...started, runId: 'r2' }), frame({ ...finished, runId: 'r2' })], 'complete', {
      conn: 1,
      body: { threadId: 't', runId: 'r2', messages: [], resume: [] },
    });
    expect(checkRecords([...first, ...second]).map((conn) => conn.findings.map(({ rule }) => rule))).toEqual([[], ['interrupt-resume-uncovered']]);
  });
});

it('gives the same verdict on a file and on the records it was imported as', () => {
  const text = [started, { type: 'STEP_FINISHED', stepName: 'x' }].map((event) => `${JSON.stringify(event)}\n`).join('');
  const imported = readAny(encoder.encode(text), 'x.jsonl');
  const [conn] = checkRecords(imported.records);
  expect(conn).toMatchObject({ url: 'x.jsonl', events: 2, stopsAt: 1 });
  expect(conn!.findings.map(({ rule, at }) => [rule, at])).toEqual([
    ['run-truncated', 1],
    ['step-not-open', 1],
  ]);
});
