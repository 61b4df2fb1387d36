/** What a capture file, a redaction or Runlens itself adds to an exchange: findings in place of content, notes of replays, bodies that come late. */
import { describe, expect, it } from 'vitest';
import type { CaptureRecord, RecordedFinding } from '../capture/types.ts';
import { addRecord, createSession, everything } from './index.ts';
import type { SessionOptions } from './state.ts';
import { encode, exchange, goodRun, sseOf } from './testkit.ts';

function fold(records: readonly CaptureRecord[], options: SessionOptions = {}) {
  const session = createSession(options);
  for (const record of records) addRecord(session, record);
  const { findings, connections, runs, spans, rows } = everything(session);
  return { findings, connection: connections[0]!, runs, spans, rows, session };
}
const rulesOf = (records: readonly CaptureRecord[], options?: SessionOptions): string[] => fold(records, options).findings.map(({ rule }) => rule);

const noted = (rule: string, at: number, more: Partial<RecordedFinding> = {}): RecordedFinding => ({
  rule,
  at,
  related: [],
  run: 0,
  message: `${rule}.`,
  repeats: 0,
  ...more,
});
const record = (findings: readonly RecordedFinding[], more: { rules?: readonly string[]; protocol?: string } = {}): CaptureRecord => ({
  kind: 'findings',
  conn: 0,
  rules: [],
  findings,
  ...more,
});
const gap: CaptureRecord = { kind: 'gap', conn: 0, gap: { time: 1_000, bytes: 20, chunks: 1, why: 'lost' } };

/** An exchange with records put in behind its request. */
const behind = (extra: readonly CaptureRecord[], records: readonly CaptureRecord[]): CaptureRecord[] => [...records.slice(0, 1), ...extra, ...records.slice(1)];

describe('findings that were recorded', () => {
  const records = exchange(sseOf(goodRun('r1')));

  it('come with their event, on its row and its span, and reject as they did', () => {
    const { findings, runs, spans, connection } = fold(
      behind([record([noted('step-already-open', 4, { related: [2], repeats: 3 }), noted('step-not-open', 8)])], records),
    );
    const message = spans.find(({ kind }) => kind === 'text')!;
    expect(findings.map(({ rule, row, span, relatedRows, repeats, time }) => ({ rule, row, span, relatedRows, repeats, time }))).toEqual([
      { rule: 'step-already-open', row: 4, span: message.id, relatedRows: [2], repeats: 3, time: 1_060 },
      expect.objectContaining({ rule: 'step-not-open', row: 8 }),
    ]);
    expect([runs[0]!.status, connection.stopsAtRow]).toEqual(['rejected-by-violation', 4]);
  });

  it('of the whole response come with its end', () => {
    const whole = noted('transport-buffered', -1, { run: null });
    const late = noted('step-not-open', -1);
    const odd = noted('step-already-open', 15, { related: [99] });
    const seen = fold(behind([record([whole, late, odd])], records)).findings;
    expect(seen.map(({ rule, row, span, relatedRows }) => [rule, row, span, relatedRows])).toEqual([
      ['transport-buffered', null, null, []],
      ['step-not-open', null, null, []],
      ['step-already-open', null, null, []],
    ]);
  });

  it('take the place of rules that cannot be judged any more, and yield to rules that are off', () => {
    const bad = exchange(sseOf([...goodRun('r1').slice(0, -1), { type: 'STEP_FINISHED', stepName: 'nowhere' }]), { end: null });
    expect(rulesOf(bad)).toEqual(['step-not-open']);
    expect(rulesOf(behind([record([], { rules: ['step-not-open'] })], bad))).toEqual([]);
    const one = behind([record([noted('step-not-open', 14)], { rules: ['step-not-open'] })], bad);
    expect(rulesOf(one)).toEqual(['step-not-open']);
    expect(rulesOf(one, { rules: { 'step-not-open': false } })).toEqual([]);
    // what is not in the catalogue, of a run that is not there, or beyond the event
    expect(rulesOf(behind([record([noted('no-such-rule', 3)])], records))).toEqual([]);
    for (const run of [7, -1])
      expect(fold(behind([record([noted('step-not-open', 3, { run })])], records)).findings[0]).toMatchObject({ rule: 'step-not-open', run: null });
  });

  it('keep their place in the connection behind a gap', () => {
    const [request, body, response, ...rest] = exchange(sseOf(goodRun('r1', 20)), { end: null });
    const cut = [
      request!,
      body!,
      response!,
      ...rest.slice(0, 5),
      gap,
      { kind: 'chunk', conn: 0, asked: 0, came: 1_300, bytes: encode('\n\n') } as CaptureRecord,
      ...rest.slice(6),
    ];
    const { findings, rows } = fold(behind([record([noted('step-already-open', 9, { related: [8] })])], cut));
    const own = findings.filter(({ rule }) => rule === 'step-already-open');
    expect(own).toEqual([expect.objectContaining({ at: 9, row: 9, relatedRows: [8], run: null })]);
    expect(rows!.at[9]).toBe(9);
  });

  it('name a protocol of a list, and make nothing of any other word', () => {
    const name = (protocol: string) => fold(behind([record([], { protocol })], records)).connection.recognised;
    expect(name('A2A')).toEqual({ as: 'foreign', name: 'A2A' });
    expect(name('<b>mine</b>')).toEqual({ as: 'foreign', name: 'other event stream' });
    expect(fold(behind([record([], { protocol: 'A2A' })], records)).rows).toBeNull();
  });

  it('that come when the stream has begun, or is known, change nothing', () => {
    const late = [...records.slice(0, 5), record([noted('step-not-open', 8)], { protocol: 'A2A' }), ...records.slice(5)];
    const { findings, connection } = fold(late);
    expect([findings, connection.recognised]).toEqual([[], { as: 'ag-ui' }]);
    const twice = behind([record([], { protocol: 'A2A' }), record([], { protocol: 'MCP' })], records);
    expect(fold(twice).connection.recognised).toEqual({ as: 'foreign', name: 'A2A' });
  });
});

describe('a stream that Runlens answered', () => {
  const other = exchange(sseOf(goodRun('r7')), { runId: 'r1' });
  const replay = (of: string): CaptureRecord => ({ kind: 'replay', conn: 0, replay: { time: 1_000, of } });

  it('is not held against the run that was asked for, whenever it is told', () => {
    expect(rulesOf(other)).toEqual(['run-request-id-mismatch']);
    for (const at of [1, 2, 3]) expect(rulesOf([...other.slice(0, at), replay('a file'), ...other.slice(at)]), String(at)).toEqual([]);
    // the request can have told what it is before the first chunk came
    const split = exchange(sseOf(goodRun('r7')), { runId: 'r1', cut: 7 });
    expect(rulesOf([...split.slice(0, 5), replay('a file'), ...split.slice(5)])).toEqual([]);
  });

  it('answers no request of the page: its runs are neither the asked ones nor others', () => {
    const told = (extra: readonly CaptureRecord[]) => fold(behind(extra, other)).runs[0]!.answersRequest;
    expect([told([]), told([replay('a file')])]).toEqual([false, null]);
  });

  it('but for trouble that was made on it is judged as the agent’s', () => {
    expect(rulesOf(behind([replay('')], other))).toEqual(['run-request-id-mismatch']);
  });
});

describe('a body that comes when the stream has begun', () => {
  const [request, body, ...rest] = exchange(sseOf(goodRun('r1')));
  const late = (...bodies: CaptureRecord[]) => fold([request!, ...rest.slice(0, 4), ...bodies, ...rest.slice(4)]).runs[0]!.answersRequest;
  const asking = (text: string): CaptureRecord => ({ kind: 'body', conn: 0, body: { kind: 'text', text } });

  it('tells which run answers it', () => {
    expect([late(), late(body!), late(asking('{"threadId":"t","runId":"r2","messages":[]}')), late(asking('no JSON'))]).toEqual([null, true, false, null]);
  });

  it('of a socket’s second request says nothing of the run before', () => {
    expect(late(body!, asking('{"threadId":"t","runId":"r2","messages":[]}'))).toBe(true);
  });

  it('of a replay says nothing of its run', () => {
    expect(late({ kind: 'replay', conn: 0, replay: { time: 0, of: 'a file' } }, body!)).toBeNull();
  });

  it('may come with the request', () => {
    if (request?.kind !== 'request' || body?.kind !== 'body') throw new Error('no request');
    const whole: CaptureRecord = { ...request, request: { ...request.request, body: body.body } };
    const { runs, connection } = fold([whole, ...rest]);
    expect([runs[0]!.answersRequest, connection.request?.body?.text]).toEqual([true, undefined]);
  });
});
