import { describe, expect, it } from 'vitest';
import type { CheckResult, Fact, Finding, RunVerdict } from '../checker/types.ts';
import type { AgentEvent, EventType } from '../protocol/events.ts';
import { type ApplyContext, applyResult, createModel, type Model, noteFinding, type RunNumbers } from './model.ts';
import type { FindingView } from './types.ts';

/** A checker made of whatever a test says: inputs at 100 ms steps, rows counting from 10. */
function createScript() {
  const model = createModel();
  const numbers: RunNumbers = { runs: [], spans: [] };
  const verdicts: RunVerdict[] = [];
  let at = -1;
  const say = (type: EventType | null, facts: readonly Fact[] = [], more: Partial<CheckResult> & { fields?: object; context?: Partial<ApplyContext> } = {}) => {
    at++;
    const event: AgentEvent | null = type ? { type, ...more.fields } : null;
    const result: CheckResult = { at, event, type, run: verdicts.length - 1, item: -1, stray: false, facts, findings: [], absorbedBy: [], ...more };
    const context: ApplyContext = {
      conn: 4,
      row: 10 + at,
      time: at * 100,
      bytes: 5,
      numbers,
      verdicts,
      rowOf: (position) => (position <= at ? 10 + position : undefined),
      timeOf: (row) => (row - 10) * 100,
      requestTime: -50,
      requestRunId: 'asked',
      ...more.context,
    };
    return applyResult(model, result, context);
  };
  return { model, numbers, verdicts, say };
}

const verdict = (ordinal: number, runId: string | null): RunVerdict => ({
  ordinal,
  runId,
  threadId: 't',
  parentRunId: null,
  ending: 'open',
  endingBefore: null,
  lostWhy: null,
  rejectedAt: null,
  afterRejection: false,
  outcomeStripped: false,
  replacedBy: null,
  firstEvent: 0,
  lastEvent: 0,
  endedAt: null,
});

const opened = (item: number, itemKind: 'text' | 'tool' | 'step', name = ''): Fact => ({
  kind: 'item-opened',
  item,
  itemKind,
  id: `id${item}`,
  name,
  owner: null,
  parent: null,
  run: 0,
  form: 'explicit',
});

function withRun(runId = 'asked') {
  const script = createScript();
  script.verdicts.push(verdict(0, runId));
  script.say('RUN_STARTED', [{ kind: 'run-opened', run: 0 }]);
  return script;
}

const runOf = (model: Model, id = 0) => {
  const run = model.runs[id];
  if (!run) throw new Error(`no run ${id}`);
  return run;
};

describe('runs', () => {
  it('begin with their first event and know whether they answer the request', () => {
    expect(withRun('asked').model.runs).toEqual([
      expect.objectContaining({ id: 0, conn: 4, start: 0, end: null, status: 'active', requestTime: -50, answersRequest: true, firstRow: 10 }),
    ]);
    expect(runOf(withRun('another').model).answersRequest).toBe(false);
  });

  it('end at the event that closed them, with what it reported', () => {
    const { model, verdicts, say } = withRun();
    Object.assign(verdicts[0] ?? {}, { ending: 'finished/success', endedAt: 1 });
    say('RUN_FINISHED', [{ kind: 'run-changed', run: 0 }], { fields: { result: {}, usage: [{ model: 'm', totalTokens: 7 }] } });
    expect(runOf(model)).toMatchObject({
      status: 'succeeded',
      end: 100,
      endedRow: 11,
      hasResult: true,
      usage: [{ model: 'm', totalTokens: 7 }],
      events: 2,
      bytes: 10,
    });
  });

  it('that failed late remember their first finish', () => {
    const { model, verdicts, say } = withRun();
    Object.assign(verdicts[0] ?? {}, { ending: 'finished/success', endedAt: 1 });
    say('RUN_FINISHED', [{ kind: 'run-changed', run: 0 }]);
    Object.assign(verdicts[0] ?? {}, { ending: 'late-error', endingBefore: 'finished/success', endedAt: 2 });
    say('RUN_ERROR', [{ kind: 'run-changed', run: 0 }], { fields: { message: 'flush failed' } });
    expect(runOf(model)).toMatchObject({ status: 'failed-late', finishedTime: 100, end: 200, error: { message: 'flush failed', code: null } });
  });

  it('lost with their stream end with it', () => {
    const { model, verdicts, say } = withRun();
    Object.assign(verdicts[0] ?? {}, { ending: 'lost', lostWhy: 'dropped' });
    say(null, [{ kind: 'run-changed', run: 0 }], { at: -1, context: { row: 10, time: 900 } });
    expect(runOf(model)).toMatchObject({ status: 'truncated', end: 900, endedRow: null, lastRow: 10, events: 1 });
  });

  it('are rejected at the row of their violation, a stray taking nothing from them', () => {
    const { model, verdicts, say } = withRun();
    Object.assign(verdicts[0] ?? {}, { ending: 'error', endedAt: 1 });
    say('RUN_ERROR', [{ kind: 'run-changed', run: 0 }], { fields: { message: 'mine' } });
    Object.assign(verdicts[0] ?? {}, { rejectedAt: 2 });
    say('RUN_ERROR', [{ kind: 'run-changed', run: 0 }], { stray: true, fields: { message: 'stray' } });
    expect(runOf(model)).toMatchObject({ status: 'rejected-by-violation', rejectedRow: 12, rejectedTime: 200, error: { message: 'mine' }, end: 100 });
  });

  it('are rejected at the row of a bad frame, whose position no event has yet', () => {
    const { model, verdicts, say } = withRun();
    Object.assign(verdicts[0] ?? {}, { rejectedAt: 1 });
    say(null, [{ kind: 'run-changed', run: 0 }], { at: -1, context: { row: 55, time: 77, rowOf: (at) => (at === 0 ? 10 : undefined) } });
    expect(runOf(model)).toMatchObject({ rejectedRow: 55, rejectedTime: 77 });
  });

  it('replaced by another name its session id', () => {
    const script = withRun();
    runOf(script.model);
    script.numbers.runs[0] = 0;
    script.verdicts.push(verdict(1, 'next'));
    Object.assign(script.verdicts[0] ?? {}, { ending: 'cut-off', replacedBy: 1 });
    script.say('RUN_STARTED', [
      { kind: 'run-changed', run: 0 },
      { kind: 'run-opened', run: 1 },
    ]);
    expect(runOf(script.model)).toMatchObject({ replacedBy: 1, end: 100 });
    expect(runOf(script.model, 1)).toMatchObject({ runId: 'next', requestTime: null });
  });

  it('have the time of the event that rejected or ended them, also when that is told later', () => {
    const { model, verdicts, say } = withRun();
    say('CUSTOM');
    say('CUSTOM');
    Object.assign(verdicts[0] ?? {}, { rejectedAt: 1, ending: 'cut-off', endedAt: 2 });
    say('CUSTOM', [{ kind: 'run-changed', run: 0 }]);
    expect(runOf(model)).toMatchObject({ rejectedRow: 11, rejectedTime: 100, endedRow: 12, end: 200 });
  });

  it('of which one is not there are passed over', () => {
    const { model, verdicts, say } = withRun();
    Object.assign(verdicts[0] ?? {}, { ending: 'cut-off', replacedBy: 5 });
    say('CUSTOM', [{ kind: 'run-changed', run: 0 }, { ...opened(0, 'step', 'plan'), run: 5 } as Fact], { run: 5 });
    expect([runOf(model).replacedBy, model.spans[0]?.run]).toEqual([null, -1]);
    expect(say('CUSTOM', [], { run: -1 })).toEqual({ run: -1, span: -1 });
    expect(model.ticks.at(-1)?.run).toBe(-1);
  });

  it('count their findings', () => {
    const { model } = withRun();
    for (const severity of ['violation', 'advice', 'advice'] as const) noteFinding(model, { severity, run: 0 } as FindingView);
    noteFinding(model, { severity: 'violation', run: null } as FindingView);
    expect(runOf(model).findings).toEqual({ violation: 1, deviation: 0, advice: 2 });
  });
});

describe('spans', () => {
  it('take a message text as their label, cut at 120 characters and never within one', () => {
    const { model, say } = withRun();
    say('TEXT_MESSAGE_START', [opened(0, 'text')], { item: 0 });
    say('TEXT_MESSAGE_CONTENT', [{ kind: 'item-grew', item: 0, delta: 'x'.repeat(119) }], { item: 0 });
    say('TEXT_MESSAGE_CONTENT', [{ kind: 'item-grew', item: 0, delta: '😀 and more' }], { item: 0 });
    expect(model.spans[0]).toMatchObject({ label: 'x'.repeat(119), deltas: 2, chars: 130, contentStart: 200, contentEnd: 300, lastRow: 13, end: null });
    expect(runOf(model).firstTextTime).toBe(200);
  });

  it('of tools tell when arguments were complete and when the result came', () => {
    const { model, say } = withRun();
    say('TOOL_CALL_START', [opened(0, 'tool', 'search')], { item: 0 });
    say('TOOL_CALL_ARGS', [{ kind: 'item-grew', item: 0, delta: '{}' }], { item: 0 });
    say('TOOL_CALL_END', [{ kind: 'item-closed', item: 0, how: 'closed' }], { item: 0 });
    expect(say('TOOL_CALL_RESULT', [{ kind: 'item-answered', item: 0 }], { item: 0 })).toEqual({ run: 0, span: 0 });
    expect(model.spans[0]).toMatchObject({ label: 'search', end: 300, argsEnd: 300, resultTime: 400, resultRow: 14, lastRow: 13 });
  });

  it('swept up by the end of a run were not closed by its row', () => {
    const { model, say } = withRun();
    say('STEP_STARTED', [opened(0, 'step', 'plan')], { item: 0 });
    say('RUN_ERROR', [{ kind: 'item-closed', item: 0, how: 'run-error' }]);
    expect(model.spans[0]).toMatchObject({ end: 200, how: 'run-error', lastRow: 11 });
  });

  it('of unknown items change nothing', () => {
    const { model, say } = withRun();
    say(
      'TEXT_MESSAGE_CONTENT',
      [
        { kind: 'item-grew', item: 9, delta: 'x' },
        { kind: 'item-closed', item: 9, how: 'closed' },
        { kind: 'item-answered', item: 9 },
        { kind: 'run-changed', run: 9 },
      ],
      { item: 9 },
    );
    expect(model.spans).toEqual([]);
  });
});

describe('ticks', () => {
  it('are the events that are no span, with their owner', () => {
    const { model, say } = withRun();
    for (const type of [
      'STATE_SNAPSHOT',
      'STATE_DELTA',
      'MESSAGES_SNAPSHOT',
      'ACTIVITY_SNAPSHOT',
      'ACTIVITY_DELTA',
      'CUSTOM',
      'RAW',
      null,
      'TEXT_MESSAGE_END',
    ] as const)
      say(type, [], { fields: { subagentRunId: 'sub' } });
    expect(model.ticks.map(({ kind }) => kind)).toEqual(['state-snapshot', 'state-delta', 'messages', 'activity', 'activity', 'custom', 'raw', 'unknown']);
    expect(model.ticks[0]).toEqual({ row: 11, run: 0, kind: 'state-snapshot', time: 100, owner: 'sub' });
  });
});

it('findings touch their runs even without a fact', () => {
  const { model, verdicts, say } = withRun();
  Object.assign(verdicts[0] ?? {}, { rejectedAt: 1 });
  say('CUSTOM', [], { findings: [{ run: 0, severity: 'violation' } as Finding] });
  expect(runOf(model).status).toBe('rejected-by-violation');
});
