import { describe, expect, it } from 'vitest';
import type { CaptureRecord, Carrier } from '../capture/types.ts';
import { redact } from '../export/redact.ts';
import { addRecord, createSession, everything, tickSession } from './index.ts';
import { encode, exchange, goodRun, sseOf } from './testkit.ts';

const linesOf = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const input = (runId: string): string => JSON.stringify({ threadId: 'thread', runId, messages: [] });
const shortRun = (runId: string): object[] => [
  { type: 'RUN_STARTED', threadId: 'thread', runId },
  { type: 'RUN_FINISHED', threadId: 'thread', runId },
];

function seen(records: readonly CaptureRecord[], now?: number) {
  const session = createSession();
  for (const record of records) addRecord(session, record);
  if (now !== undefined) tickSession(session, now);
  const { runs, findings, connections } = everything(session);
  return { runs, rules: findings.map(({ rule }) => rule), connection: connections[0] };
}

const through = (carrier: Carrier, records: readonly CaptureRecord[]): CaptureRecord[] =>
  records.map((record) => (record.kind === 'request' ? { ...record, carrier } : record));

const NDJSON = { status: 101, contentType: 'application/x-ndjson' };

describe('a socket', () => {
  it('is judged by its events, not by how they were framed', () => {
    const { rules, runs, connection } = seen(through('websocket', exchange(linesOf(goodRun('r1')), NDJSON)));
    expect([rules, runs[0]?.status, connection?.codec, connection?.failure]).toEqual([[], 'succeeded', 'ndjson', null]);
    expect(seen(exchange(linesOf(goodRun('r1')), { ...NDJSON, status: 200 })).rules).toEqual(['transport-content-type']);
  });

  it('may stay open as long as it likes', () => {
    const records = exchange(linesOf(goodRun('r1')), { ...NDJSON, end: null });
    expect(seen(records, 60_000).rules).toEqual(['transport-left-open']);
    expect(seen(through('websocket', records), 60_000).rules).toEqual([]);
  });

  it('answers several requests, each run its own', () => {
    const [request, body, response, ...chunks] = through('websocket', exchange(linesOf(shortRun('r1')), { ...NDJSON, end: null }));
    const second: CaptureRecord[] = [
      { kind: 'body', conn: 0, body: { kind: 'text', text: input('r2') } },
      { kind: 'chunk', conn: 0, asked: 2_000, came: 2_000, bytes: encode(linesOf(shortRun('r2'))) },
      { kind: 'end', conn: 0, end: { time: 2_100, how: 'complete' } },
    ];
    const { runs, rules } = seen([request!, body!, response!, ...chunks, ...second]);
    expect(runs.map(({ runId, status, answersRequest }) => [runId, status, answersRequest])).toEqual([
      ['r1', 'succeeded', true],
      ['r2', 'succeeded', true],
    ]);
    expect(rules).toEqual([]);
  });

  it('may be asked again while a run is under way, which stays the one that was asked for', () => {
    const [start, finish] = shortRun('r1');
    const [request, body, response, ...chunks] = through('websocket', exchange(linesOf([start!]), { ...NDJSON, end: null }));
    const { runs } = seen([
      request!,
      body!,
      response!,
      ...chunks,
      { kind: 'body', conn: 0, body: { kind: 'text', text: input('r2') } },
      { kind: 'chunk', conn: 0, asked: 2_000, came: 2_000, bytes: encode(linesOf([finish!])) },
    ]);
    expect(runs.map(({ runId, status, answersRequest }) => [runId, status, answersRequest])).toEqual([['r1', 'succeeded', true]]);
  });
});

describe('the network log', () => {
  const late = (records: readonly CaptureRecord[]): CaptureRecord[] =>
    records.map((record) => (record.kind === 'chunk' ? { ...record, asked: 9_000, came: 9_000 } : record));

  it('gives no times to judge by', () => {
    const records = late(exchange(sseOf(goodRun('r1', 40))));
    expect(seen(records).rules).toEqual(['transport-buffered']);
    expect(seen(through('network-log', records)).rules).toEqual([]);
  });

  it('may have no body, which is said and not judged', () => {
    const [request, body, response, end] = exchange('');
    const gap: CaptureRecord = { kind: 'gap', conn: 0, gap: { time: 1_500, bytes: 7, chunks: 0, why: 'it was too large' } };
    const { connection, rules, runs } = seen(through('network-log', [request!, body!, response!, gap, end!]));
    expect([connection?.failure, rules, runs]).toEqual(['The body is not available: it was too large.', [], []]);
    expect(seen([request!, body!, response!, end!]).rules).toEqual(['stream-empty']);
  });
});

describe("a reconnect by CopilotKit's REST address", () => {
  const at = (url: string, records: readonly CaptureRecord[]): CaptureRecord[] =>
    records.map((record) => (record.kind === 'request' ? { ...record, request: { ...record.request, url } } : record));
  const run = 'http://localhost:8000/api/copilotkit/agent/default/run';
  const connect = 'http://localhost:8000/api/copilotkit/agent/default/connect';

  it('replays other runs than the one its request names, or none, also in a redacted capture', () => {
    for (const [body, rule] of [
      [sseOf(goodRun('r7')), 'run-request-id-mismatch'],
      ['', 'stream-empty'],
    ] as const) {
      const records = exchange(body, { runId: 'r9' });
      expect(seen(at(run, records)).rules).toEqual([rule]);
      expect(seen(at(connect, records)).rules).toEqual([]);
      const shared = [...redact(at(connect, records), { groups: 'all', salt: 's' })];
      expect(JSON.stringify(shared)).not.toContain('default');
      expect(seen(shared).rules).toEqual([]);
    }
  });
});
