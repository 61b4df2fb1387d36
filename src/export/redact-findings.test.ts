import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { EDITS, editStream } from '../checker/edits.ts';
import fieldCases from '../checker/fixtures/field-cases.json';
import vectors from '../checker/fixtures/vectors.json';
import { cleanStream, randomOf } from '../checker/generator.ts';
import { check, createChecker, findingsOf, referenceStopsAt, runsOf, statusOf } from '../checker/index.ts';
import { EXAMPLES } from '../checker/shape/fixtures/examples.ts';
import type { CheckerState } from '../checker/state.ts';
import { verdictsOf } from '../checker/testing.ts';
import type { CheckerInput, StreamEnd, ThreadMemory } from '../checker/types.ts';
import { createStream, type Frame, feed, finish } from '../stream/index.ts';
import { redact } from './redact.ts';
import { contentRules, recordedFindings } from './redact-findings.ts';
import { ANY, maskOf } from './redact-groups.ts';

const encoder = new TextEncoder();

interface Told {
  readonly events?: readonly unknown[];
  readonly text?: string;
  readonly end?: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

const HOW = { closed: 'complete', error: 'network-error', aborted: 'aborted' } as const;

function recordsOf({ events = [], text, end = 'closed', body, contentType = 'text/event-stream' }: Told): CaptureRecord[] {
  const sent = text ?? events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const how = HOW[end as keyof typeof HOW];
  const json = body === undefined ? undefined : JSON.stringify(body);
  return [
    {
      kind: 'request',
      conn: 0,
      carrier: 'fetch',
      document: null,
      request: { url: 'http://a/', method: 'POST', time: 0, ...(json === undefined ? {} : { body: { kind: 'text', text: json } }) },
    },
    { kind: 'response', conn: 0, response: { time: 0, status: 200, contentType } },
    { kind: 'chunk', conn: 0, asked: 0, came: 0, bytes: encoder.encode(sent) },
    ...(how === undefined ? [] : [{ kind: 'end', conn: 0, end: { time: 0, how } } as const]),
  ];
}

/** The checker's state after the records; `threads` is what it knows of earlier streams. */
function judge(records: readonly CaptureRecord[], end: StreamEnd, threads: ThreadMemory = {}): CheckerState {
  const state = createChecker({ threads });
  const take = (input: CheckerInput) => check(state, input);
  const takeFrames = (frames: readonly Frame[]) => {
    for (const { faults, values, no, text } of frames) {
      for (const fault of faults) take({ kind: 'fault', fault, frame: no, time: 0, ...(text === undefined ? {} : { text }) });
      for (const value of values) take({ kind: 'event', value, frame: no, time: 0 });
    }
  };
  let stream = createStream({ codec: 'auto' });
  for (const record of records) {
    if (record.kind === 'request' && record.request.body) take({ kind: 'request', body: JSON.parse(record.request.body.text ?? ''), time: 0 });
    else if (record.kind === 'response') {
      stream = createStream({ codec: 'auto', contentType: record.response.contentType });
      take({ kind: 'response', status: 200, contentType: record.response.contentType, time: 0 });
    } else if (record.kind === 'chunk') takeFrames(feed(stream, record.bytes, 0));
  }
  if (end !== 'open') takeFrames(finish(stream, 0, end === 'closed').frames);
  take({ kind: 'end', end, time: 0 });
  return state;
}

function verdict(state: CheckerState, without: readonly string[]) {
  return {
    findings: verdictsOf(state).filter(({ rule }) => !without.includes(rule)),
    runs: runsOf(state).map((run) => ({ status: statusOf(run), ending: run.ending, firstEvent: run.firstEvent, lastEvent: run.lastEvent })),
    reference: referenceStopsAt(state),
  };
}

function expectSame(told: Told, name?: string): void {
  const records = recordsOf(told);
  const after = [...redact(records, { groups: 'all', salt: 's' })];
  const end = (told.end ?? 'closed') as StreamEnd;
  const rules = contentRules(ANY);
  expect(verdict(judge(after, end), rules), name).toEqual(verdict(judge(records, end), rules));
}

describe('findings that do not depend on content are the same when everything is redacted', () => {
  it.each(vectors)('vector $name', ({ events, end }) => expectSame({ events, end }));

  it.each((fieldCases as unknown as readonly { id: string; transport: { repeat?: unknown } }[]).filter(({ transport }) => transport.repeat === undefined))(
    'field case $id',
    (field) => {
      const { events, end, transport } = field as unknown as {
        events?: unknown[];
        end: string;
        transport: { chunks?: string[]; contentType: string; requestBody?: unknown; request?: { body: unknown } };
      };
      const body = transport.requestBody ?? transport.request?.body;
      const text = transport.chunks?.join('');
      const contentType = transport.contentType === 'websocket' ? 'text/event-stream' : transport.contentType;
      expectSame({ end, contentType, ...(events ? { events } : {}), ...(text === undefined ? {} : { text }), ...(body === undefined ? {} : { body }) });
    },
  );

  it('generated streams, most of them with mistakes', () => {
    const random = randomOf(20_261_202);
    let found = 0;
    for (let no = 0; no < 400; no++) {
      let events = cleanStream(random);
      for (let edits = random.int(3); edits > 0; edits--) events = editStream(random, events, random.pick(EDITS)) ?? events;
      expectSame({ events }, JSON.stringify(events));
      found += judge(recordsOf({ events }), 'closed').findings.length;
    }
    expect(found).toBeGreaterThan(100);
  });

  it('every example of the schema with each of its fields malformed', () => {
    const wrong: readonly unknown[] = [
      null,
      7,
      'text',
      true,
      {},
      [],
      [{}],
      { type: 'alien' },
      [{ role: 'alien', id: 'm', x: 1 }],
      [{ op: 'odd' }, { path: 'a/b' }],
    ];
    for (const [type, [full, least]] of Object.entries(EXAMPLES)) {
      const events = Object.keys(full).flatMap((key) => wrong.map((value) => ({ type, ...full, [key]: value })));
      expectSame({ events: [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...events, { type, ...least, 'not known': 1, message_id: 'm' }] }, type);
    }
  });

  it.each([
    [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/no~2pointer', value: 1 }] }],
    [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: 'no pointer', value: 1 }] }],
    [
      { type: 'CUSTOM', name: 'plain', value: 1 },
      { type: 'CUSTOM', name: 'com.example/x', value: 1 },
    ],
    [{ type: 'RAW', event: { type: 'TEXT_MESSAGE_START', messageId: 'm' } }],
    [{ type: 'RUN_ERROR', message: ' \n' }],
    [
      { type: 'text-message-start', messageId: 'm' },
      { type: 'TextMessageContent', message_id: 'm', delta: 'x' },
    ],
    [
      { type: 'run_started', thread_id: 't', run_id: 'r' },
      { type: 'run_finished', thread_id: 't', run_id: 'r' },
    ],
    [{ type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c', content: [{ type: 'binary', mimeType: 'image/png', data: 'AA' }] }],
    [{ type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'success', interrupts: [{ id: 'i' }] } }],
    [{ type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'x', expiresAt: 'soon' }] } }],
    [{ type: 'HEARTBEAT' }, { type: 'HEARTBEAT' }, { type: 'PING' }],
  ])('a case of its own: %j', (...events) => expectSame({ events: [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...events] }));

  it('patches still apply: the document has the same shape after each', () => {
    const events = [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      { type: 'STATE_SNAPSHOT', snapshot: { 'a/b': { list: [1, 2, { deep: 'x' }] }, '': 0, '~': true, 7: 'seven', long1234567: 1.5 } },
      {
        type: 'STATE_DELTA',
        delta: [
          { op: 'test', path: '/a~1b/list/2/deep', value: 'x' },
          { op: 'test', path: '/long1234567', value: 1.5 },
          { op: 'replace', path: '/a~1b/list/0', value: { new: 1 } },
          { op: 'add', path: '/a~1b/list/-', value: 'end' },
          { op: 'move', from: '/7', path: '/~0' },
          { op: 'copy', from: '/a~1b/list/0/new', path: '/copied' },
          { op: 'remove', path: '/' },
        ],
      },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
    ];
    const records = recordsOf({ events });
    const before = judge(records, 'closed');
    const after = judge([...redact(records, { groups: 'all', salt: 's' })], 'closed');
    expect(findingsOf(after)).toEqual([]);
    const shape = (value: unknown): unknown => (typeof value === 'object' && value !== null ? Object.values(value).map(shape) : typeof value);
    expect(shape(after.document.value)).toEqual(shape(before.document.value));
    expect(JSON.stringify(after.document.value)).not.toMatch(/deep|seven|copied/);
  });

  it('the request: history, tools, state and answers, over two connections', () => {
    const first = {
      threadId: 't',
      runId: 'r1',
      messages: [{ id: 'u', role: 'user', content: 'hi' }],
      tools: [{ name: 'pick', description: 'd' }],
      state: { a: 1 },
    };
    const events = [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r1' },
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a', value: 2 }] },
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pick', parentMessageId: 'p' },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r1', outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'x' }] } },
    ];
    const second = {
      thread_id: 't',
      run_id: 'r2',
      messages: [{ id: 'z', role: 'activity', content: {} }],
      resume: [{ interruptId: 'other', status: 'resolved' }],
    };
    const both = [
      recordsOf({ events, body: first }),
      recordsOf({ events: [{ type: 'RUN_STARTED', threadId: 't', runId: 'r2' }], body: { method: 'agent/run', body: second } }),
    ];
    const rulesOf = (streams: readonly (readonly CaptureRecord[])[]) => {
      const threads: ThreadMemory = {};
      return streams.map((records) => verdictsOf(judge(records, 'closed', threads)));
    };
    const apart = both.flatMap((records, conn) => records.map((record) => ({ ...record, conn })));
    const after = [...redact(apart, { groups: 'all', salt: 's' })];
    const split = [0, 1].map((conn) => after.filter((record) => record.conn === conn));
    expect(rulesOf(split)).toEqual(rulesOf(both));
    expect(
      rulesOf(both)
        .flat()
        .map(({ rule }) => rule),
    ).toEqual(expect.arrayContaining(['interrupt-resume-unknown', 'activity-in-input', 'interrupt-resume-uncovered']));
  });
});

describe('findings that depend on content', () => {
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'STATE_SNAPSHOT', snapshot: { a: 'secret' } },
    { type: 'STATE_DELTA', delta: [{ op: 'test', path: '/a', value: 'other' }] },
    { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'f' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"secret' },
    { type: 'TOOL_CALL_END', toolCallId: 'c' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];

  it('travel as recorded, in words that quote nothing', () => {
    const line = recordedFindings(contentRules(ANY), 3, findingsOf(judge(recordsOf({ events }), 'closed')));
    expect(line).toMatchObject({ kind: 'findings', conn: 3 });
    expect(line.findings.map(({ rule, at, run }) => [rule, at, run])).toEqual([
      ['state-patch-failed', 2, 0],
      ['tool-args-not-json', 5, 0],
    ]);
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  it('are judged as ever where their groups stay', () => {
    expect(contentRules(maskOf(new Set(['urls', 'ids'])))).toEqual([]);
    expect(contentRules(maskOf(new Set(['tool'])))).toContain('tool-args-not-json');
    expect(recordedFindings(contentRules(maskOf(new Set(['urls']))), 0, findingsOf(judge(recordsOf({ events }), 'closed'))).findings).toEqual([]);
  });
});
