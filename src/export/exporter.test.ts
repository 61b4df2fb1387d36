/** What leaves of a session whose records are not all there. */
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import type { FindingView, RunView } from '../runs/types.ts';
import { addRecord, createSession } from '../session/index.ts';
import { exchange, goodRun, interleave, sseOf } from '../session/testkit.ts';
import { createExporter, type Form, planOf, type Scope, type Seen } from './index.ts';
import { eventKey, type Plan } from './plan.ts';

function seenOf(records: readonly CaptureRecord[]): Seen {
  const session = createSession();
  for (const record of records) addRecord(session, record);
  return { runs: session.model.runs, findings: session.findings, rows: session.rows, protocolOf: () => null };
}

type Options = Parameters<typeof createExporter>[0];

function exported(records: readonly CaptureRecord[], form: Form, { scope = { kind: 'all' }, ...more }: Partial<Options> & { scope?: Scope } = {}) {
  const plan = planOf(seenOf(records), scope);
  const exporter = createExporter({ ...{ form, plan, header: { created: '', app: 'runlens 1' }, redact: null, before: null, title: 'x' }, ...more });
  const pieces = [...exporter.begin(), ...records.flatMap(exporter.take), ...exporter.end()];
  return { text: pieces.map((piece) => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece))).join(''), said: exporter.said() };
}

const both = interleave(exchange(sseOf(goodRun('r1'))), exchange(sseOf(goodRun('r2')), { conn: 7, start: 1_005, runId: 'r2' }));
const linesOf = (text: string): { runId?: string }[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { runId?: string });

describe('what is said of a file', () => {
  it.each([
    [{}, 'Nothing was redacted.'],
    [{ before: { groups: ['tool' as const], rules: [] } }, 'Redacted: tool, and whatever belongs to no group. Ids and names are as captured.'],
    [{ redact: { groups: 'all' as const } }, 'Everything but the structure is redacted.'],
    [{ redact: { groups: new Set<'text'>() } }, 'Nothing was redacted.'],
  ])('%j', (options, words) => {
    expect(exported(both, 'capture', options).said).toBe(words);
  });
});

describe('a part by its rows', () => {
  it('rows that are not there choose nothing, and no run either', () => {
    const seen = seenOf(both);
    const none = planOf(seen, { kind: 'rows', rows: [seen.rows.count, 100_000] });
    expect([none.conns, none.events, none.runs]).toEqual([new Set(), new Map(), new Set()]);
    const last = planOf(seen, { kind: 'rows', rows: [seen.rows.count - 1, seen.rows.count] });
    expect(last.conns).toEqual(new Set([7]));
    expect(last.runs).toEqual(new Set(['7 0']));
  });

  it('a connection without a chosen event gives none', () => {
    const plan: Plan = { ...planOf(seenOf(both), { kind: 'all' }), events: new Map([[7, new Set([eventKey(0, 0)])]]) };
    expect(linesOf(exported(both, 'events', { plan }).text)).toEqual([expect.objectContaining({ type: 'RUN_STARTED', runId: 'r2' })]);
  });

  it('connections leave alone', () => {
    const { text } = exported(both, 'events', { scope: { kind: 'connections', conns: [7] } });
    expect(new Set(linesOf(text).flatMap(({ runId }) => runId ?? []))).toEqual(new Set(['r2']));
  });

  it('a finding leaves with its places in its connection, and with its run where that is known', () => {
    const { rows, runs } = seenOf(both);
    const finding = { conn: 7, rule: 'a', at: 3, relatedRows: [1, 3], run: 1, message: 'm', repeats: 0 } as unknown as FindingView;
    const findings = [finding, { ...finding, run: null, frame: 4 }, { ...finding, run: 99 }, { ...finding, conn: 0 }];
    const told = planOf({ runs: runs as readonly RunView[], rows, findings, protocolOf: () => null }, { kind: 'all' }).findings(7);
    expect(told).toMatchObject([{ at: 3, related: [rows.at[1], rows.at[3]], run: runs[1]!.ordinal }, { run: null, frame: 4 }, { run: null }]);
    expect(told).toHaveLength(3);
  });
});

it('an event nested beyond the stack is in no file of events', () => {
  const deep = `data: {"type":"CUSTOM","name":"a","value":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n\n`;
  expect(linesOf(exported(exchange(`${deep}data: {"type":"A"}\n\n`), 'events').text)).toEqual([{ type: 'A' }]);
});

describe('a report', () => {
  it('of a stream that is still open says so', () => {
    const { text } = exported(exchange(sseOf(goodRun('r1').slice(0, 3)), { end: null }), 'report');
    expect(text).toContain('3 events, still open.');
    expect(text).toContain('| `r1` | `thread` | still running | 0–2 |');
  });

  it('names a finding of no run, the events it has to do with, and where clients stop', () => {
    const [started, , opened] = goodRun('r1');
    const { text } = exported(exchange(sseOf([{ type: 'STEP_STARTED', stepName: 's' }, started!, opened!, opened!])), 'report');
    expect(text).toContain('**violation** at event 0');
    expect(text).toMatch(/\(see event \d+\)/);
    expect(text).toContain('A conforming client stops at event 0');
  });

  it('lists a finding of the whole response where it has no run', () => {
    const { text } = exported(exchange(''), 'report');
    expect(text).toMatch(/ at the response: .+\(`stream-empty`\)/);
  });

  it('judges by the rules that are on', () => {
    const records = exchange(sseOf([...goodRun('r1').slice(0, 2), { type: 'STEP_FINISHED', stepName: 'no' }]));
    const rule = /\(`(step-[a-z-]+)`\)/.exec(exported(records, 'report').text)?.[1];
    expect(rule).toBeDefined();
    expect(exported(records, 'report', { rules: { [rule!]: false } }).text).not.toContain(rule);
  });

  it('does not judge another protocol, and says what an answer failed of', () => {
    const other = exchange(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'x' } }] })}\n\n`);
    expect(exported(other, 'report').text).toMatch(/Not AG-UI but .+: not judged\./);
    expect(exported(exchange('busy', { status: 503, contentType: 'text/plain' }), 'report').text).toContain('503');
  });
});
