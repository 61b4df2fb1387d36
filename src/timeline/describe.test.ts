import { describe, expect, it } from 'vitest';
import { describeTarget, nameOf } from './describe.ts';
import { buildModel, type RunStory, type SpanStory } from './scenes/build.ts';
import { SCENES } from './scenes/index.ts';
import { onRun, onSpan, openModel, openScene, openStories } from './scenes/open.ts';
import type { TimelineModel } from './types.ts';

const step = (name: string, a: number, b: number | null, more: Partial<SpanStory> = {}): SpanStory => ({ kind: 'step', name, a, b, ...more });
const run = (more: Partial<RunStory>): RunStory => ({ id: 'r', thread: 't', a: 0, b: 8, status: 'succeeded', ...more });

const about = (story: Partial<RunStory>, more: readonly RunStory[] = []) => {
  const { l } = openStories([run(story), ...more], [0, 20]);
  return describeTarget(l, { kind: 'run', id: 0 })!;
};
const aboutSpan = (story: SpanStory, of: Partial<RunStory> = {}) => {
  const { l } = openStories([run({ ...of, spans: [story] })], [0, 20]);
  return describeTarget(l, { kind: 'span', id: 0 })!;
};

describe('a run in words', () => {
  it('says why it ended so', () => {
    expect(about({ status: 'active', b: null })).toMatchObject({ word: 'Active', why: 'receiving, 1 event', facts: 'open for 20.0 s, 1 event' });
    expect(about({ status: 'interrupted', more: { interrupts: [{ id: 'i', reason: 'approval', message: 'Send it?' }] } }).why).toBe('waits: Send it?');
    expect(about({ status: 'interrupted', more: { interrupts: [{ id: 'i', reason: 'approval' }] } }).why).toBe('waits: approval');
    const two = [
      { id: 'i', reason: 'a' },
      { id: 'j', reason: 'b' },
    ];
    expect(about({ status: 'interrupted', more: { interrupts: two } }).why).toBe('waits for 2 answers');
    expect(about({ status: 'interrupted', more: { interrupts: [] } }).why).toBe('waits');
    expect(about({ status: 'cancelled' }).why).toBe('stopped on request');
    expect(about({ status: 'failed-by-report' }).why).toBe('RUN_ERROR overloaded');
    expect(about({ status: 'failed-by-report', more: { error: { message: 'no such model', code: null } } }).why).toBe('RUN_ERROR no such model');
    expect(about({ status: 'failed-by-report', more: { error: { message: 'x'.repeat(80), code: null } } }).why).toBe('RUN_ERROR');
    expect(about({ status: 'failed-by-report', more: { error: null } }).why).toBe('RUN_ERROR');
    expect(about({ status: 'failed-late', b: 6, late: 8 }).why).toBe('succeeded, then RUN_ERROR');
    expect(about({ status: 'failed-late', more: { endingBefore: null } }).why).toBe('finished, then RUN_ERROR');
    expect(about({ status: 'truncated', more: { lostWhy: 'eof' } }).why).toBe('stream ended early');
    expect(about({ status: 'truncated', more: { lostWhy: null } }).why).toBe('stream stopped short');
    expect(about({ more: { outcomeStripped: true } }).why).toBe('unknown outcome, read as success');
    expect(about({ more: { afterRejection: true } }).why).toBe('a conforming client never got here');
  });

  it('says of a rejected run by which rule, and what its stream said afterwards', () => {
    const violation = { severity: 'violation', rule: 'step-not-open', at: 5 } as const;
    const afterwards = (ending: NonNullable<RunStory['ending']>) => about({ status: 'rejected-by-violation', ending, findings: [violation] }).why;
    expect(afterwards('finished/success')).toBe('step-not-open at 0:05.000, then reported success');
    expect(afterwards('finished/interrupt')).toBe('step-not-open at 0:05.000, then interrupts, not safe to answer');
    expect(afterwards('finished/cancelled')).toBe('step-not-open at 0:05.000, then reported a stop');
    expect(afterwards('error')).toBe('step-not-open at 0:05.000, also reported failure');
    expect(afterwards('late-error')).toBe('step-not-open at 0:05.000, finished, then reported failure');
    expect(afterwards('lost')).toBe('step-not-open at 0:05.000, then cut');
    expect(afterwards('cut-off')).toBe('step-not-open at 0:05.000, replaced by another run');
    expect(about({ status: 'rejected-by-violation', b: null, ending: 'open', findings: [violation] }).why).toBe('step-not-open at 0:05.000, still receiving');
    // its finding belongs to no run
    const { model } = openStories([run({ status: 'rejected-by-violation', findings: [violation] })], [0, 20]);
    const loose: TimelineModel = { ...model, findings: model.findings.map((finding) => ({ ...finding, run: null })) };
    expect(describeTarget(openModel(loose, [0, 20]).l, { kind: 'run', id: 0 })?.why).toBe('rejected at 0:05.000, then reported success');
  });

  it('names the first of its violations, not the last', () => {
    const findings = [3, 5].map((at) => ({ severity: 'violation', rule: `at-${at}`, at }) as const).reverse();
    expect(about({ status: 'rejected-by-violation', findings }).why).toMatch(/^at-3 /);
  });

  it('counts what was found, in order of gravity', () => {
    const findings = (['advice', 'deviation', 'violation', 'deviation'] as const).map((severity, at) => ({ severity, rule: 'x', at: at + 1 }));
    expect(about({ findings }).facts).toBe('8.00 s, 6 events, 1 violation, 2 deviations, 1 advice');
  });

  it('says which of several runs it is, whose child, and who answered it', () => {
    const { l } = openScene(SCENES['replayed']!);
    expect(describeTarget(l, onRun(l, 'run_0'))).toMatchObject({ why: 'history, sent again' });
    expect(describeTarget(l, onRun(l, 'run_0'))?.facts).toContain('replayed');
    expect(describeTarget(l, onRun(l, 'run_2'))).toMatchObject({ why: 'answers the request' });
    expect(describeTarget(l, onRun(l, 'run_2'))?.facts).toContain('answers the request');
    const children = openScene(SCENES['parents']!).l;
    expect(describeTarget(children, onRun(children, 'run_2'))?.facts).toContain('parent run_1');
    const model = buildModel([run({})], 20);
    const played = openModel({ ...model, connections: model.connections.map((one) => ({ ...one, replay: {} })) }, [0, 20]).l;
    expect(describeTarget(played, { kind: 'run', id: 0 })?.facts).toContain('answered by Runlens');
  });

  it('says what became of an interrupt', () => {
    const { l } = openScene(SCENES['answered']!);
    expect(describeTarget(l, onRun(l, 'run_1'))?.facts).toContain('answered by run_2 after 4.00 s');
    expect(describeTarget(l, onRun(l, 'run_3'))?.facts).toContain('not answered');
    const given = run({ id: 'next', a: 10, b: 12, resume: [{ interruptId: 'i_1', status: 'cancelled' }], more: { runId: null } });
    expect(about({ status: 'interrupted' }, [given]).facts).toContain('given up by a run without id after 2.00 s');
  });

  it('has a name without ids', () => {
    const { l } = openStories([run({ thread: null, more: { runId: null } })], [0, 20]);
    expect(nameOf(l, { kind: 'run', id: 0 })).toBe('Run no run id, no thread, succeeded, 8.00 s, 2 events, 2 events');
  });
});

describe('a span in words', () => {
  const tool = (more: Partial<SpanStory>): SpanStory => ({ kind: 'tool', name: 'search', a: 1, b: 2, quiet: [2, 2], ...more });

  it('says what a tool call waits for', () => {
    const live = { status: 'active', b: null } as const;
    expect(aboutSpan({ kind: 'tool', name: 'search', a: 1, b: null }, live).facts).toBe('open for 19.0 s, arguments arriving');
    expect(aboutSpan({ kind: 'tool', name: 'search', a: 1, b: null }, { status: 'truncated' }).facts).toBe('7.00 s');
    expect(aboutSpan(tool({}), live).facts).toContain('waiting for its result');
    expect(aboutSpan(tool({})).facts).toContain('waits for the app');
    expect(aboutSpan(tool({}), { status: 'failed-by-report' }).facts).toContain('no result came');
    expect(aboutSpan(tool({ result: 4 })).facts).toContain('arguments 1.00 s, result after 2.00 s');
  });

  it('says how it was ended, if not by itself', () => {
    expect(aboutSpan(step('plan', 1, null), { status: 'failed-by-report' }).why).toBe('ended by RUN_ERROR');
    expect(aboutSpan(step('plan', 1, null), { status: 'truncated' }).why).toBe('cut by the lost stream');
    expect(aboutSpan(step('plan', 1, 4)).why).toBe('');
    const late = { status: 'rejected-by-violation', findings: [{ severity: 'violation', rule: 'x', at: 1 }] } as const;
    expect(aboutSpan(step('plan', 2, 4), late).why).toBe('delivered after the stop');
  });

  it('says what was found on it, the gravest first', () => {
    const on = (severity: 'deviation' | 'violation', at: number) => ({ severity, rule: severity, at, span: 'plan', message: `${severity}.` }) as const;
    expect(aboutSpan(step('plan', 1, 4), { findings: [on('deviation', 2)] }).why).toBe('deviation: deviation.');
    const both = { status: 'rejected-by-violation', findings: [on('deviation', 2), on('violation', 3)] } as const;
    expect(aboutSpan(step('plan', 1, 4), both).why).toBe('rejected here: violation.');
  });

  it('counts what arrived, and goes by its id where it has no other name', () => {
    const message = aboutSpan({ kind: 'text', name: 'Hello there', a: 1, b: 3 });
    expect(message.title).toBe('“Hello there”, text_0');
    expect(message.facts).toMatch(/^2\.00 s, \d+ deltas, \d+ characters$/);
    expect(aboutSpan({ kind: 'text', name: '', a: 1, b: 3 }).title).toBe('text_0');
    expect(aboutSpan({ kind: 'tool', name: '', a: 1, b: 3 }).title).toBe('tool_0');
  });
});

describe('other things in words', () => {
  it('events that are points', () => {
    const kinds = ['state-snapshot', 'state-delta', 'messages', 'activity', 'custom', 'raw', 'unknown'] as const;
    const { l, model } = openStories([run({ ticks: kinds.map((kind, i) => [i + 1, kind] as const) })], [0, 20]);
    const told = model.ticks.map(({ row }) => describeTarget(l, { kind: 'tick', row })!);
    expect(told.map(({ word, tone }) => [word, tone])).toEqual([
      ['State snapshot', 'k-state'],
      ['State delta', 'k-state'],
      ['Messages snapshot', 'k-text'],
      ['Activity', 'k-other'],
      ['Custom event', 'k-other'],
      ['Raw event', 'k-other'],
      ['Unknown event', 'k-other'],
    ]);
    expect(told[0]).toMatchObject({ title: 'event 2', facts: '0:01.000' });
  });

  it('findings, with their place and how often', () => {
    const { model } = openStories([run({ findings: [{ severity: 'deviation', rule: 'odd', at: 3, message: 'It is odd.' }] })], [0, 20]);
    const [finding] = model.findings;
    const told = (more: object) => nameOf(openModel({ ...model, findings: [{ ...finding!, ...more }] }, [0, 20]).l, { kind: 'finding', id: 0 });
    expect(told({})).toBe('Deviation odd, event 2, 0:03.000, It is odd.');
    expect(told({ row: null, repeats: 4 })).toBe('Deviation odd, 0:03.000, 4 more of it, It is odd.');
  });

  it('threads, with what went wrong in them', () => {
    const stories = [
      run({ status: 'rejected-by-violation', findings: [{ severity: 'violation', rule: 'x', at: 1 }] }),
      run({ id: 'r2', a: 9, b: 10, status: 'failed-by-report' }),
    ];
    const { l } = openStories(stories, [0, 20], { folded: new Set(['t']) });
    expect(describeTarget(l, { kind: 'thread', key: 't' })).toMatchObject({ icon: 'chevron-folded', title: 't', facts: '2 runs, 1 rejected, 1 failed' });
    expect(nameOf(openStories([run({})], [0, 20]).l, { kind: 'thread', key: 't' })).toBe('Thread t, 1 run, /api/agent');
  });

  it('nothing of what is not there', () => {
    const { l } = openStories([run({})], [0, 20]);
    for (const target of [
      { kind: 'run', id: 7 },
      { kind: 'span', id: 7 },
      { kind: 'finding', id: 7 },
      { kind: 'tick', row: 7 },
      { kind: 'thread', key: 'other' },
    ] as const)
      expect([describeTarget(l, target), nameOf(l, target)]).toEqual([null, '']);
  });

  it('messages of a subagent, as those of its parent', () => {
    const { l } = openScene(SCENES['subagents']!);
    expect(describeTarget(l, onSpan(l, 'page one'))).toMatchObject({ word: 'Message', tone: 'k-text' });
  });
});
