/** Captures out and back in, by the very steps of the panel and the command line: what comes back is what left. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { encode } from '@ag-ui/proto';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../../e2e/agent/scenarios.ts';
import type { CaptureRecord } from '../capture/types.ts';
import { EDITS, editStream } from '../checker/edits.ts';
import moreVectors from '../checker/fixtures/more-vectors.json';
import vectors from '../checker/fixtures/vectors.json';
import { cleanStream, randomOf } from '../checker/generator.ts';
import { EXAMPLES } from '../checker/shape/fixtures/examples.ts';
import { addRecord, createSession, type Session } from '../session/index.ts';
import { exchange, goodRun, interleave, sseOf } from '../session/testkit.ts';
import { createExporter, FORMS, type Form, GROUPS, type Group, planOf, readAny, type Scope, type Seen } from './index.ts';

const encoder = new TextEncoder();

function fold(records: readonly CaptureRecord[]): Session {
  const session = createSession();
  for (const record of records) addRecord(session, record);
  return session;
}

const seenOf = ({ model, findings, rows, conns }: Session): Seen => ({
  ...{ runs: model.runs, findings, rows },
  protocolOf: (conn) => {
    const recognised = conns.get(conn)?.recognised;
    return recognised?.as === 'foreign' ? recognised.name : null;
  },
});

interface Told {
  readonly form?: Form;
  readonly scope?: Scope;
  readonly groups?: readonly Group[] | 'all';
}

/** The file that the choice writes. */
function write(
  records: readonly CaptureRecord[],
  { form = 'capture', scope = { kind: 'all' }, groups }: Told = {},
  before: ReturnType<typeof readAny>['redacted'] = null,
) {
  const exporter = createExporter({
    form,
    plan: planOf(seenOf(fold(records)), scope),
    header: { created: '2026-12-01T10:00:00.000Z', app: 'runlens 1.2.3' },
    redact: groups ? { groups: groups === 'all' ? 'all' : new Set(groups), salt: 'grain' } : null,
    before,
    title: 'the run',
  });
  const pieces = [...exporter.begin(), ...records.flatMap((record) => exporter.take(record)), ...exporter.end()];
  return new Uint8Array(Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))));
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** What the panel shows of a session, by place and not by number. */
function shown({ model, findings, rows, conns }: Session) {
  const at = (row: number | null) => (row === null ? null : rows.at[row]);
  return {
    findings: findings
      .map(({ rule, severity, conn, at: place, row, relatedRows, run, span, repeats }) => ({
        rule,
        severity,
        conn,
        place,
        row,
        relatedRows,
        run,
        span,
        repeats,
      }))
      .sort((a, b) => a.conn - b.conn || a.place - b.place || a.rule.localeCompare(b.rule)),
    runs: model.runs.map(({ status, ending, firstRow, lastRow, rejectedRow, afterRejection, findings: counts }) => ({
      ...{ status, ending, firstRow, lastRow, rejected: at(rejectedRow), afterRejection },
      counts: { ...counts },
    })),
    spans: model.spans.map(({ kind, firstRow, lastRow, how }) => ({ kind, firstRow, lastRow, how })),
    protocols: [...conns.values()].map(({ recognised }) => recognised),
    stops: [...conns.values()].map(({ stopsAtRow, referenceStopsAtRow }) => [stopsAtRow, referenceStopsAtRow]),
  };
}

/** The bytes of a demo scenario as the agent sends them. */
function bodyOf(scenario: (typeof SCENARIOS)[number]): { body: string; cut: boolean } {
  let body = '';
  let cut = false;
  for (const move of scenario.build({ threadId: 'thread', runId: 'r1', n: 40 }).moves) {
    if ('event' in move) body += `data: ${JSON.stringify(move.event)}\n\n`;
    else if ('text' in move) body += move.text;
    else cut ||= 'cut' in move;
  }
  return { body, cut };
}

const CAPTURES: readonly (readonly [name: string, records: readonly CaptureRecord[]])[] = [
  ...[...vectors, ...(moreVectors as unknown as typeof vectors)].map(
    ({ name, events, end }) =>
      [
        `vector ${name}`,
        exchange(sseOf(events as object[]), { end: end === 'open' ? null : end === 'closed' ? 'complete' : end === 'error' ? 'network-error' : 'aborted' }),
      ] as const,
  ),
  ...SCENARIOS.map((scenario) => {
    const { body, cut } = bodyOf(scenario);
    const { status, contentType } = scenario;
    return [
      `scenario ${scenario.id}`,
      exchange(body, { cut: 97, end: cut ? 'network-error' : 'complete', ...(status ? { status } : {}), ...(contentType ? { contentType } : {}) }),
    ] as const;
  }),
  ['overlapping exchanges', interleave(exchange(sseOf(goodRun('r1'))), exchange(sseOf(goodRun('r2')), { conn: 1, start: 1_005, runId: 'r2', cut: 33 }))],
];

describe('out and in again', () => {
  it.each(CAPTURES)('%s: as a capture the very records come back, so bytes, events, runs and findings do', (_name, records) => {
    const file = write(records);
    const back = readAny(file, 'x');
    expect(back).toEqual({ kind: 'capture', records, problems: [], redacted: null });
    expect(readAny(new Uint8Array(gunzipSync(gzipSync(file))), 'x').records).toEqual(records);
    expect(shown(fold(back.records))).toEqual(shown(fold(records)));
  });

  it.each(CAPTURES)('%s: as a body and as events the same events come back', (_name, records) => {
    const scope: Scope = { kind: 'connections', conns: [0] };
    const raw = write(records, { form: 'raw', scope });
    const events = textOf(write(records, { form: 'events', scope }));
    const body = readAny(raw, 'x', { as: 'sse' });
    const isSse = records.some((record) => record.kind === 'response' && record.response.contentType.startsWith('text/event-stream'));
    const end = records.filter(({ kind }) => kind === 'end');
    if (isSse) expect(write(body.records, { form: 'raw' })).toEqual(raw);
    if (isSse) expect(textOf(write([...body.records.slice(0, -1), ...end], { form: 'events' }))).toBe(events);
    if (events !== '') expect(textOf(write(readAny(encoder.encode(events), 'x', { as: 'events-jsonl' }).records, { form: 'events' }))).toBe(events);
  });

  it('a protobuf body comes back byte for byte, told by its content', () => {
    const frames = goodRun('r1').flatMap((event) => {
      const message = encode(event as Parameters<typeof encode>[0]);
      return [0, 0, message.length >> 8, message.length & 255, ...message];
    });
    const records = exchange('', { contentType: 'application/vnd.ag-ui.event+proto' }).toSpliced(3, 0, {
      ...{ kind: 'chunk', conn: 0, asked: 1015, came: 1020 },
      bytes: Uint8Array.from(frames),
    } as CaptureRecord);
    const raw = write(records, { form: 'raw' });
    const body = readAny(raw, 'x');
    expect([body.kind, body.problems]).toEqual(['proto', []]);
    expect(write(body.records, { form: 'raw' })).toEqual(raw);
    expect(fold(body.records).model.runs.map(({ status }) => status)).toEqual(['succeeded']);
  });

  it('cut anywhere, with bytes flipped or mixed with others: nothing throws, and each file has its sentence', () => {
    const random = randomOf(7);
    const file = write(CAPTURES[0]![1]);
    for (let no = 0; no < 150; no++) {
      const bad = file.slice(0, 20 + random.int(file.length - 20));
      for (let flips = random.int(6); flips > 0; flips--) bad[random.int(bad.length)] = random.int(256);
      const mixed = no % 3 === 0 ? new Uint8Array(Buffer.concat([bad, Buffer.from('\n<p>no\n'), file])) : bad;
      const { kind, problems, records } = readAny(mixed, 'x');
      for (const { message } of problems) expect(message).toMatch(/^[A-Z].*[.:]$/su);
      if (kind === 'unknown') expect(problems).toHaveLength(1);
      expect(() => fold(records)).not.toThrow();
    }
  });
});

describe('a part of a capture', () => {
  const records = interleave(
    exchange(sseOf(goodRun('r1'))),
    exchange(sseOf([...goodRun('r2'), ...goodRun('r3')]), { conn: 1, start: 1_005, runId: 'r2', cut: 41 }),
  );
  const runIdOf = (line: string): string | undefined => JSON.parse(line).runId;

  it('one run of two in a response: its events alone, or the response with both', () => {
    const scope: Scope = { kind: 'runs', runs: [fold(records).model.runs.findIndex(({ runId }) => runId === 'r3')] };
    const events = textOf(write(records, { form: 'events', scope }))
      .trim()
      .split('\n');
    expect(events).toHaveLength(goodRun('r3').length);
    expect([runIdOf(events[0]!), runIdOf(events.at(-1)!)]).toEqual(['r3', 'r3']);
    const back = readAny(write(records, { scope }), 'x').records;
    expect(new Set(back.map(({ conn }) => conn))).toEqual(new Set([0]));
    expect(fold(back).model.runs.map(({ runId }) => runId)).toEqual(['r2', 'r3']);
    expect(textOf(write(records, { form: 'report', scope }))).toContain('| `r3` |');
    expect(textOf(write(records, { form: 'report', scope }))).not.toContain('| `r2` |');
  });

  it('rows: those events and no others', () => {
    const events = textOf(write(records, { form: 'events', scope: { kind: 'rows', rows: [2, 5] } }))
      .trim()
      .split('\n');
    expect(events).toHaveLength(2);
  });
});

const SECRET = 'Zk9SecretPlumOrchard';

/** Every string of a value, and one more field, becomes the secret; types and what tells union members apart stay. */
function planted(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => planted(item));
  if (typeof value === 'object' && value !== null) {
    return { ...Object.fromEntries(Object.entries(value).map(([name, item]) => [name, planted(item, name)])), [`x${SECRET}`]: { deep: SECRET } };
  }
  if (typeof value !== 'string') return value;
  return ['type', 'role', 'op', 'path', 'from', 'subtype', 'status'].includes(key) ? value : SECRET;
}

describe('redacted', () => {
  const events = Object.entries(EXAMPLES).flatMap(([type, examples]) => examples.map((example) => ({ ...(planted(example) as object), type })));
  const records: readonly CaptureRecord[] = [
    ...exchange(`${sseOf(events)}: ${SECRET}\n\ndata: {"type":"TEXT_MESSAGE_CONTENT","delta":"${SECRET}\n\ndata: ${SECRET}\n\n`, { cut: 211 }),
    ...exchange(`<html>${SECRET}</html>`, { conn: 1, status: 500, contentType: 'text/html' }),
  ];

  it.each(FORMS)('a secret in every field of every event is in no file written as %s', (form) => {
    expect(textOf(write(records, { form }))).toContain('Secret');
    expect(textOf(write(records, { form, groups: 'all' }))).not.toContain('Secret');
  });

  it.each(GROUPS)('the header names the group %s, and a secret that belongs to no group goes with it', (group) => {
    const stray = exchange(
      sseOf([
        { type: 'RAW', event: SECRET },
        { type: 'RUN_ERROR', message: SECRET, [SECRET]: SECRET },
      ]),
    );
    const file = write(stray, { groups: [group] });
    expect(readAny(file, 'x').redacted?.groups).toEqual([group]);
    expect(textOf(file)).not.toContain('Secret');
  });

  it('runs, findings and stops are the same before and after; those that depend on content as recorded', () => {
    const random = randomOf(20_261_203);
    let recorded = 0;
    const expectSame = (before: readonly CaptureRecord[], name: string) => {
      const back = readAny(write(before, { groups: 'all' }), 'x');
      expect(back.problems).toEqual([]);
      expect(shown(fold(back.records)), name).toEqual(shown(fold(before)));
      recorded += back.records.reduce((sum, record) => sum + (record.kind === 'findings' ? record.findings.length : 0), 0);
      // written again, whole or redacted once more, it says the same
      const again = readAny(write(back.records, {}, back.redacted), 'x');
      expect(again).toEqual(back);
      const twice = readAny(write(back.records, { groups: ['urls'] }, back.redacted), 'x');
      expect(shown(fold(twice.records)), name).toEqual(shown(fold(before)));
      expect(twice.redacted).toEqual(back.redacted);
    };
    for (const [name, before] of CAPTURES) expectSame(before, name);
    for (let no = 0; no < 60; no++) {
      let stream = cleanStream(random);
      for (let edits = random.int(4); edits > 0; edits--) stream = editStream(random, stream, random.pick(EDITS)) ?? stream;
      expectSame(exchange(sseOf(stream as object[])), JSON.stringify(stream));
    }
    expect(recorded).toBeGreaterThan(5);
  });

  it('a finding that only the content gives survives, with a sentence that quotes nothing', () => {
    const stream = [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r1' },
      { type: 'STATE_SNAPSHOT', snapshot: { a: SECRET } },
      { type: 'STATE_DELTA', delta: [{ op: 'test', path: '/a', value: 'other' }] },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r1' },
    ];
    const session = fold(readAny(write(exchange(sseOf(stream)), { groups: 'all' }), 'x').records);
    const [finding] = session.findings.filter(({ rule }) => rule === 'state-patch-failed');
    expect(finding).toMatchObject({ at: 2, row: 2 });
    expect(finding!.message).toMatch(/as recorded: the content is redacted/);
    expect(session.model.runs.map(({ status }) => status)).toEqual(fold(exchange(sseOf(stream))).model.runs.map(({ status }) => status));
  });
});

describe('a replayed stream', () => {
  const plan = JSON.stringify({ runlens: 'plan', version: 1, name: 'a cut */ here', changes: [{ do: 'cut', after: 3 }] });
  const replayed = (of: string, how?: string): CaptureRecord[] => {
    const [request, ...rest] = exchange(sseOf(goodRun('r1')));
    return [request!, { kind: 'replay', conn: 0, replay: { time: 5, of, ...(how === undefined ? {} : { plan: how }) } }, ...rest];
  };

  it('comes back as one, plan and all', () => {
    const records = replayed('run r0 of yesterday', plan);
    const back = readAny(write(records), 'x');
    expect(back.problems).toEqual([]);
    expect(fold(back.records).conns.get(0)?.replay).toEqual({ time: 5, of: 'run r0 of yesterday', plan });
  });

  it('is called so in a report and in a fixture, and a stranger’s words stay words there', () => {
    for (const form of ['report', 'fixture'] as const) {
      const text = textOf(write(replayed('run r0\u2028throw 1', plan), { form })).replaceAll('\\', '');
      expect(text).toContain('replayed by Runlens, from run r0 throw 1; the plan “a cut */ here” changed it.');
      expect(textOf(write(replayed('', plan), { form })).replaceAll('\\', '')).toContain('Runlens made trouble on this stream, by the plan “a cut */ here”.');
      expect(textOf(write(exchange(sseOf(goodRun('r1'))), { form }))).not.toMatch(/replayed|trouble/);
    }
  });

  it('leaves neither recording nor plan in a redacted file', () => {
    const text = textOf(write(replayed('the secret run', plan), { groups: 'all' }));
    expect(text).not.toMatch(/secret run|a cut/);
    expect(fold(readAny(new TextEncoder().encode(text), 'x').records).conns.get(0)?.replay).toEqual({ time: 5, of: 'a redacted recording' });
  });
});
