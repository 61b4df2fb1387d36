/** Over 300 lines: one table of records to rows, runs and findings, which share their builders. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { EVENT_TYPES, TYPE_BAD_FRAME, TYPE_UNKNOWN } from '../protocol/events.ts';
import { addRecord, createSession, everything, hasChanges, type Session, takeChanges, tickSession } from './index.ts';
import { encode, exchange, goodRun, interleave, sseOf } from './testkit.ts';
import { ROW_HAS_FINDING, ROW_STRAY } from './types.ts';

function fold(records: readonly CaptureRecord[], session = createSession()): Session {
  for (const record of records) addRecord(session, record);
  return session;
}

const typesOf = (session: Session) => [...session.rows.type.subarray(0, session.rows.count)].map((code) => EVENT_TYPES[code] ?? code);

/** The good run with one event put in before its last. */
function spoilt(event: object, runId = 'r1'): object[] {
  const events = goodRun(runId);
  return [...events.slice(0, -1), event, ...events.slice(-1)];
}

describe('a good run', () => {
  const session = fold(exchange(sseOf(goodRun('r1'))));
  const all = everything(session);

  it('is rows in order, with their frames in the byte stream', () => {
    const body = sseOf(goodRun('r1'));
    expect(typesOf(session)).toEqual(goodRun('r1').map((event) => (event as { type: string }).type));
    const rows = all.rows;
    for (let no = 0; no < (rows?.count ?? 0); no++) {
      const from = rows?.offset[no] ?? 0;
      expect(
        JSON.parse(
          body
            .slice(from, from + (rows?.length[no] ?? 0))
            .trim()
            .slice('data: '.length),
        ),
      ).toEqual(goodRun('r1')[no]);
      expect([rows?.at[no], rows?.frame[no], rows?.part[no], rows?.run[no], rows?.flags[no]]).toEqual([no, no, 0, 0, 0]);
    }
  });

  it('is one succeeded run without a finding', () => {
    expect(all.findings).toEqual([]);
    expect(all.runs).toEqual([
      expect.objectContaining({
        runId: 'r1',
        threadId: 'thread',
        status: 'succeeded',
        ending: 'finished/success',
        answersRequest: true,
        requestTime: 1_000,
        start: 1_020,
        end: 1_020 + 10 * 14,
        firstRow: 0,
        lastRow: 14,
        endedRow: 14,
        events: 15,
        bytes: sseOf(goodRun('r1')).length,
        firstTextTime: 1_060,
        rejectedRow: null,
        findings: { violation: 0, deviation: 0, advice: 0 },
      }),
    ]);
  });

  it('has its steps, message and tool call as spans', () => {
    expect(all.spans.map(({ kind, label, start, end, how }) => [kind, label, start, end, how])).toEqual([
      ['step', 'plan', 1_030, 1_100, 'closed'],
      ['text', 'word 0 word 1 word 2 ', 1_040, 1_090, 'closed'],
      ['step', 'write', 1_050, 1_140, 'closed'],
      ['tool', 'search', 1_110, 1_130, 'closed'],
    ]);
    expect(all.spans[1]).toMatchObject({ deltas: 3, chars: 21, contentStart: 1_060, contentEnd: 1_080, firstRow: 2, lastRow: 7, role: 'assistant' });
    expect(all.spans[3]).toMatchObject({ argsEnd: 1_130, resultTime: 1_150, resultRow: 13, itemId: 'r1-t' });
  });

  it('is a recognised connection whose request has no body text', () => {
    expect(all.connections).toEqual([
      expect.objectContaining({ id: 0, recognised: { as: 'ag-ui' }, codec: 'sse', events: 15, stopsAtRow: null, failure: null, chunks: 15 }),
    ]);
    expect(all.connections[0]?.request?.body).toMatchObject({ kind: 'text' });
    expect(all.connections[0]?.request?.body?.text).toBeUndefined();
  });
});

describe('findings', () => {
  it('carry session numbers, mark their row and reject their run', () => {
    const first = exchange(sseOf(goodRun('r1')), { conn: 0 });
    const bad = exchange(sseOf(spoilt({ type: 'STEP_FINISHED', stepName: 'nowhere' })), { conn: 1, start: 5_000 });
    const session = fold([...first, ...bad]);
    const { findings, runs, connections } = everything(session);
    expect(findings).toEqual([expect.objectContaining({ id: 0, conn: 1, rule: 'step-not-open', at: 14, row: 15 + 14, run: 1, time: 5_160 })]);
    expect(session.rows.flags[29]).toBe(ROW_HAS_FINDING);
    expect(runs[1]).toMatchObject({
      status: 'rejected-by-violation',
      rejectedRow: 29,
      rejectedTime: 5_160,
      findings: { violation: 1, deviation: 0, advice: 0 },
    });
    expect(connections[1]).toMatchObject({ stopsAtRow: 29 });
    expect(session.counts).toEqual({ violation: 1, deviation: 0, advice: 0 });
  });

  it('name the rows of related events, and the span they sit on', () => {
    const events = spoilt({ type: 'STEP_STARTED', stepName: 'again' });
    events.splice(-1, 0, { type: 'STEP_STARTED', stepName: 'again' }, { type: 'STEP_FINISHED', stepName: 'again' });
    const { findings, spans } = everything(fold(exchange(sseOf(events))));
    expect(findings).toEqual([expect.objectContaining({ rule: 'step-already-open', row: 15, relatedRows: [14] })]);
    expect(spans.find(({ label }) => label === 'again')?.id).toBe(findings[0]?.span);
  });

  it('of strays mark the stray row', () => {
    const session = fold(exchange(sseOf([...goodRun('r1'), { type: 'CUSTOM', name: 'a.b', value: 1 }])));
    expect(everything(session).findings).toEqual([expect.objectContaining({ rule: 'run-event-after-close', row: 15, relatedRows: [14] })]);
    expect(session.rows.flags[15]).toBe(ROW_HAS_FINDING | ROW_STRAY);
    expect(everything(session).ticks).toEqual([expect.objectContaining({ row: 15, kind: 'custom' })]);
  });

  it('of a run cut short come with the end, and mark a row that was handed out before', () => {
    const records = exchange(sseOf(goodRun('r1').slice(0, 5)));
    const session = fold(records.slice(0, -1));
    takeChanges(session);
    fold(records.slice(-1), session);
    const changes = takeChanges(session);
    expect(changes.findings).toEqual([expect.objectContaining({ rule: 'run-truncated', row: 4 })]);
    expect(changes.marked).toEqual([4]);
    expect(changes.rows).toBeNull();
    expect(changes.runs).toEqual([expect.objectContaining({ status: 'truncated', lostWhy: 'eof', end: 1_080 })]);
    expect(changes.spans.every(({ end, how }) => end === 1_080 && how === 'lost')).toBe(true);
  });

  it('of a bad frame sit on the row of that frame', () => {
    const events = goodRun('r1');
    const body = `${sseOf(events.slice(0, 2))}data: {"type":\n\n${sseOf(events.slice(2))}`;
    const session = fold(exchange(body));
    expect(typesOf(session)[2]).toBe(TYPE_BAD_FRAME);
    const { findings, runs } = everything(session);
    expect(findings).toEqual([expect.objectContaining({ rule: 'transport-frame-not-json', row: 2, frame: 2, at: 2 })]);
    expect(runs[0]).toMatchObject({ rejectedRow: 2, status: 'rejected-by-violation', events: 15 });
    expect([...session.rows.at.subarray(0, 5)]).toEqual([0, 1, 2, 2, 3]);
    expect(session.rows.flags[2]).toBe(ROW_HAS_FINDING);
    expect(session.rows.flags[3]).toBe(0);
  });
});

describe('what is no run', () => {
  it('unknown types are rows and ticks of no known kind', () => {
    const session = fold(exchange(sseOf(spoilt({ type: 'HEARTBEAT' }))));
    expect(session.rows.type[14]).toBe(TYPE_UNKNOWN);
    expect(everything(session).ticks).toEqual([expect.objectContaining({ row: 14, kind: 'unknown' })]);
  });

  it('another protocol is named and never judged', () => {
    const body = 'data: {"id":"c","object":"chat.completion.chunk","choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n';
    const session = createSession();
    for (const record of exchange(body))
      addRecord(session, record.kind === 'body' ? { ...record, body: { kind: 'text', text: '{"model":"m","messages":[]}' } } : record);
    const { connections, findings, rows } = everything(session);
    expect(connections[0]?.recognised.as).toBe('foreign');
    expect([findings, rows]).toEqual([[], null]);
  });

  it('an error status is a failed exchange in one sentence, without findings', () => {
    const { connections, findings } = everything(fold(exchange('{"detail":"boom"}', { status: 500, contentType: 'application/json' })));
    expect(connections[0]?.failure).toMatch(/^The server answered 500/);
    expect(findings).toEqual([]);
  });

  it('a request without any answer says so, and thinks of CORS where origins differ', () => {
    const records: CaptureRecord[] = [
      ...exchange('').slice(0, 2),
      { kind: 'end', conn: 0, end: { time: 1_100, how: 'network-error', message: 'Failed to fetch' } },
    ];
    const { connections, runs } = everything(fold(records));
    expect(connections[0]?.failure).toMatch(
      /No response reached the page \(Failed to fetch\): http:\/\/localhost:8000 is not running, or does not allow http:\/\/localhost:3000/,
    );
    expect(runs).toEqual([]);
  });

  it('an EventSource is not judged by its framing', () => {
    const records = exchange(sseOf(goodRun('r1')).replaceAll('\n', '\r\n')).map((record) =>
      record.kind === 'request' ? { ...record, carrier: 'eventsource' as const } : record,
    );
    expect(everything(fold(records)).findings).toEqual([]);
  });
});

describe('endings', () => {
  it.each([
    ['network-error', 'dropped'],
    ['aborted', 'consumer-abort'],
    ['cancelled', 'consumer-abort'],
    ['navigated', 'consumer-abort'],
  ] as const)('%s loses an open run as %s', (end, lostWhy) => {
    const { runs } = everything(fold(exchange(sseOf(goodRun('r1').slice(0, 5)), { end })));
    expect(runs).toEqual([expect.objectContaining({ status: 'truncated', lostWhy })]);
  });

  it('an open stream has an active run', () => {
    const session = fold(exchange(sseOf(goodRun('r1').slice(0, 5)), { end: null }));
    expect(everything(session).runs).toEqual([expect.objectContaining({ status: 'active', end: null })]);
    expect(session.judged.size).toBe(1);
  });

  it('the clock judges a stream left open, and only while it is', () => {
    const session = fold(exchange(sseOf(goodRun('r1')), { end: null }));
    tickSession(session, 1_160 + 5_000);
    expect(session.findings).toEqual([]);
    tickSession(session, 1_160 + 60_000);
    expect(session.findings.map(({ rule }) => rule)).toEqual(['transport-left-open']);
  });
});

describe('gaps', () => {
  const body = sseOf(goodRun('r1', 20));
  const records = exchange(body);
  const gap = (at: number): CaptureRecord => ({ kind: 'gap', conn: 0, gap: { time: at, bytes: 200, chunks: 2, why: 'lost' } });

  it('make no finding of what we lost ourselves', () => {
    for (let at = 3; at < records.length - 1; at++) {
      const session = fold([...records.slice(0, at), gap(1_000), ...records.slice(at + 2)]);
      expect(session.findings.map(({ rule, severity }) => [at, rule, severity]).filter(([, , severity]) => severity === 'violation')).toEqual([]);
    }
  });

  it('are found again at the next line of NDJSON, findings at their place in the connection', () => {
    const lines = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
    const events = [...goodRun('r1', 20), ...spoilt({ type: 'STEP_FINISHED', stepName: 'nowhere' }, 'r2')];
    const [head, rest] = [lines(events.slice(0, 8)), lines(events.slice(10))];
    const stream = exchange(`${head}`, { contentType: 'application/x-ndjson', end: null, cut: 50 });
    const after = encode(`half a line"}\n${rest}`);
    const session = fold([...stream, gap(1_000), { kind: 'chunk', conn: 0, asked: 0, came: 2_000, bytes: after }]);
    expect([...session.rows.type.subarray(0, session.rows.count)]).not.toContain(TYPE_BAD_FRAME);
    expect(session.rows.count).toBe(events.length - 2);
    const [finding, ...others] = session.findings.filter(({ severity }) => severity === 'violation');
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: 'step-not-open', row: events.length - 4, at: events.length - 4 });
  });

  it('are found again at the next frame border, bytes placed in what was received', () => {
    const lost = records.slice(0, 10);
    const half = encode('never":"read"}\n\n');
    const rest = records.slice(12);
    const session = fold([...lost, gap(1_000), { kind: 'chunk', conn: 0, asked: 0, came: 1_200, bytes: half }, ...rest]);
    const received = [...lost, ...rest].flatMap((record) => (record.kind === 'chunk' ? [...record.bytes] : []));
    const first = lost.reduce((sum, record) => sum + (record.kind === 'chunk' ? record.bytes.length : 0), 0);
    const stream = Uint8Array.from([...received.slice(0, first), ...half, ...received.slice(first)]);
    expect(session.rows.count).toBe(32 - 2);
    for (let row = 0; row < session.rows.count; row++) {
      const from = session.rows.offset[row] ?? 0;
      const text = new TextDecoder().decode(stream.subarray(from, from + (session.rows.length[row] ?? 0)));
      expect(text).toMatch(/^data: \{.*\}\n\n$/);
    }
    expect(everything(session).connections[0]?.gaps).toHaveLength(1);
  });
});

describe('the fold', () => {
  const records = interleave(
    exchange(sseOf([...goodRun('r1'), ...goodRun('r2')]), { cut: 70 }),
    exchange(sseOf(spoilt({ type: 'TEXT_MESSAGE_END', messageId: 'none' })), { conn: 1, start: 1_005 }),
    exchange(sseOf(goodRun('r4').slice(0, 6)), { conn: 2, start: 1_007, end: 'network-error' }),
    exchange('data: {"id":"c","object":"chat.completion.chunk","choices":[]}\n\n', { conn: 3 }),
  );
  const undisturbed = everything(fold(records));

  it('gives the same when saved and taken up again at any record', () => {
    for (let at = 0; at <= records.length; at++) {
      const saved = structuredClone(fold(records.slice(0, at)));
      expect(everything(fold(records.slice(at), saved))).toEqual(undisturbed);
    }
  });

  it('says the same changes for the same records', () => {
    const tell = () => {
      const session = createSession();
      return records.map((record) => {
        addRecord(session, record);
        return takeChanges(session);
      });
    };
    expect(tell()).toEqual(tell());
  });

  it('adds up: changes taken at any moments make everything', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: records.length, maxLength: records.length }), (takes) => {
        const session = createSession();
        const told = { runs: new Map(), spans: new Map(), findings: new Map(), connections: new Map(), ticks: [] as unknown[], rows: 0 };
        const take = () => {
          const changes = takeChanges(session);
          for (const kind of ['runs', 'spans', 'findings', 'connections'] as const) for (const one of changes[kind]) told[kind].set(one.id, one);
          told.ticks.push(...changes.ticks);
          if (changes.rows) expect(changes.rows.from).toBe(told.rows);
          told.rows += changes.rows?.count ?? 0;
        };
        records.forEach((record, no) => {
          addRecord(session, record);
          if (takes[no]) take();
        });
        take();
        expect(hasChanges(session)).toBe(false);
        for (const kind of ['runs', 'spans', 'findings', 'connections'] as const)
          expect([...told[kind].values()].sort((a, b) => a.id - b.id)).toEqual(undisturbed[kind]);
        expect([told.ticks, told.rows]).toEqual([undisturbed.ticks, undisturbed.rows?.count]);
      }),
      { numRuns: 30 },
    );
  });

  it('throws at nothing and counts what concerns no open connection', () => {
    const session = createSession();
    const odd: CaptureRecord[] = [
      { kind: 'chunk', conn: 99, asked: 0, came: 0, bytes: encode('x') },
      ...exchange('data: {"type":"RUN_STARTED","__proto__":{"x":1}}\n\ndata: null\n\ndata: [[]]\n\ndata: "x"\n\ndata: {"type":5}\n\n', { conn: 2 ** 32 }),
      ...exchange(sseOf(goodRun('__proto__')), { conn: 1 }),
      { kind: 'end', conn: 1, end: { time: 0, how: 'complete' } },
      { kind: 'request', conn: 1, carrier: 'fetch', document: null, request: { url: '', method: '', time: Number.NaN } },
    ];
    for (const record of odd) addRecord(session, record);
    expect(session.ignored).toBe(3);
    expect(everything(session).runs.some(({ runId }) => runId === '__proto__')).toBe(true);
  });

  it('holds a bounded part of a stream that never tells what it is', () => {
    const session = createSession();
    const [request, , response] = exchange('');
    for (const record of [request, response]) if (record) addRecord(session, record);
    const noise = encode(': nothing\n\ndata: {"'.padEnd(100_000, 'x'));
    for (let no = 0; no < 100; no++) addRecord(session, { kind: 'chunk', conn: 0, asked: 0, came: no, bytes: noise });
    expect(session.conns.get(0)?.segment?.heldBytes ?? 0).toBeLessThan(5 * 2 ** 20);
    expect(session.bytes).toBe(10_000_000);
  });
});
