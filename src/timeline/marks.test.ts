import { describe, expect, it } from 'vitest';
import { display } from './display.ts';
import { findingsAt, hitTest } from './hit.ts';
import { restack } from './layout.ts';
import type { Look } from './pen.ts';
import { EPOCH, type FindingStory, type RunStory } from './scenes/build.ts';
import { SCENES } from './scenes/index.ts';
import { drawn, measure, type Opened, onRun, openModel, openScene, openStories, runNamed, spanNamed, textsOf, xOf } from './scenes/open.ts';
import type { Draw, TimelineModel } from './types.ts';

const plot = (open: Opened, look: Partial<Look> = {}): Draw[] => display(open.l, open.model, open.window, { ...open.look, ...look }, measure);
const run = (more: Partial<RunStory>): RunStory => ({ id: 'r', thread: 't', a: 0, b: 9, status: 'succeeded', ...more });
const finding = (severity: FindingStory['severity'], at: number, more: Partial<FindingStory> = {}): FindingStory => ({ severity, rule: 'x', at, ...more });

describe('the mark of a finding', () => {
  it('has a frame of its own shape when it is picked', () => {
    const open = openStories([run({ findings: [finding('violation', 2), finding('deviation', 4), finding('advice', 6)] })], [0, 10]);
    const frame = (id: number) => {
      const list = plot(open, { selection: { kind: 'finding', id } });
      return [drawn(list, 'poly', 'accent').map(({ points }) => points.length / 2), drawn(list, 'rect', 'accent').length];
    };
    expect([0, 1, 2].map(frame)).toEqual([
      [[8], 0],
      [[3], 0],
      [[], 1],
    ]);
  });

  it('has the number of those that it stands for, up to two digits', () => {
    const number = (count: number) =>
      textsOf(
        drawn(plot(openStories([run({ findings: Array.from({ length: count }, () => finding('advice', 4)) })], [0, 10])), 'text', 'text').filter(
          ({ size }) => size === 10,
        ),
      );
    expect([number(1), number(99), number(100)]).toEqual([[], ['99'], ['99+']]);
  });

  it('is the nearest where two are near', () => {
    const open = openStories([run({ findings: [finding('advice', 4), finding('advice', 4.16)] })], [0, 10]);
    const [row] = runNamed(open.l, 'r').band.marks;
    const [a, b] = [xOf(open, 4), xOf(open, 4.16)];
    expect(b - a).toBeGreaterThan(12);
    expect([a + 6, b - 6].map((x) => hitTest(open.l, open.window, x, row!.y))).toEqual([
      { kind: 'finding', id: 0 },
      { kind: 'finding', id: 1 },
    ]);
    expect(findingsAt(open.l, open.window, b, row!.y)).toEqual([1]);
    expect(findingsAt(open.l, open.window, xOf(open, 8), row!.y)).toEqual([]);
    expect(findingsAt(open.l, open.window, 10, row!.y)).toEqual([]);
    expect(findingsAt(open.l, open.window, a, 5000)).toEqual([]);
  });

  it('stands on its span, on its point, else at the foot of its run; of no run on that of its connection', () => {
    const story = run({
      conn: 4,
      spans: [{ kind: 'step', name: 'plan', a: 1, b: 3 }],
      ticks: [[5, 'state-delta']],
      findings: [finding('advice', 2, { span: 'plan' }), finding('advice', 5), finding('advice', 7), finding('advice', 8)],
    });
    const later = run({ id: 'later', conn: 4, a: 10, b: 12 });
    const elsewhere = run({ id: 'elsewhere', thread: 'u', conn: 5, a: 1, b: 2 });
    const { model } = openStories([story, later, elsewhere], [0, 14]);
    const tick = model.ticks[0]!.row;
    const loose = (id: number, conn: number, time: number) => ({
      ...model.findings[3]!,
      id,
      conn,
      run: null,
      row: null,
      span: null,
      time: EPOCH + time * 1000,
    });
    const findings = [...model.findings.map((one) => (one.id === 1 ? { ...one, row: tick } : one)), loose(4, 4, 11), loose(5, 4, -1), loose(6, 77, 1)];
    const { l } = openModel({ ...model, findings }, [0, 14]);
    const { lane } = spanNamed(l, 'plan');
    const { band } = runNamed(l, 'r');
    const y = (id: number) => l.markOf.get(id)?.mark.y;
    expect([y(0), y(1)]).toEqual([lane.y + lane.height / 2, band.states[0]!.y + band.states[0]!.height / 2]);
    expect(y(2)).toBe(band.bottom - 10);
    expect([3, 4, 5].map((id) => l.markOf.get(id)!.mark.run!.view.runId)).toEqual(['r', 'later', 'r']);
    // one on a connection without a run has no place
    expect(y(6)).toBeUndefined();
  });
});

describe('what a finding refers to', () => {
  const story = run({
    spans: [
      { kind: 'step', name: 'plan', a: 1, b: 3 },
      { kind: 'tool', name: 'search', a: 2, b: 4, quiet: [4, 4], result: 7 },
      { kind: 'text', name: 'Hello', a: 5, b: 6 },
    ],
    findings: [finding('deviation', 8, { span: 'plan' })],
  });

  /** Where the signs of related events stand, for a finding that refers to those rows. */
  function related(rowsOf: (model: TimelineModel) => readonly number[], change: (open: Opened) => Opened = (open) => open, look: Partial<Look> = {}) {
    const { model } = openStories([story], [0, 10]);
    const open = change(openModel({ ...model, findings: model.findings.map((one) => ({ ...one, relatedRows: rowsOf(model) })) }, [0, 10]));
    return drawn(plot(open, { selection: { kind: 'finding', id: 0 }, ...look }), 'icon').flatMap(({ name, x, y }) => (name === 'related' ? [[x, y]] : []));
  }
  const open = openStories([story], [0, 10]);
  const { l } = open;
  const middle = (name: string) => spanNamed(l, name).lane.y + spanNamed(l, name).lane.height / 2;
  const named = ({ spans }: TimelineModel, label: string) => spans.find((span) => span.label === label)!;

  it('is marked at its own time, on the bar that it opens, closes or answers', () => {
    expect(related((model) => [named(model, 'search').firstRow])).toEqual([[xOf(open, 2), middle('search')]]);
    expect(related((model) => [named(model, 'search').lastRow])).toEqual([[xOf(open, 4), middle('search')]]);
    expect(related((model) => [named(model, 'search').resultRow!])).toEqual([[xOf(open, 7), middle('search')]]);
    expect(related((model) => [named(model, 'plan').lastRow])).toEqual([[xOf(open, 3), middle('plan')]]);
  });

  it('is marked on the head of the run that it begins or ends', () => {
    const { band } = runNamed(l, 'r');
    const head = band.top + band.runBar / 2;
    expect(related(({ runs }) => [runs[0]!.firstRow, runs[0]!.endedRow!])).toEqual([
      [xOf(open, 0), head],
      [xOf(open, 9), head],
    ]);
  });

  it('is marked beside the finding where it is no end of anything, and not at all where it is gone', () => {
    const delta = (model: TimelineModel) => named(model, 'Hello').firstRow + 1;
    const [spot, ...more] = related((model) => [delta(model)]);
    expect([spot![1], more]).toEqual([middle('plan'), []]);
    expect(spot![0]).toBeGreaterThan(xOf(open, 5));
    expect(spot![0]).toBeLessThan(xOf(open, 5.2));
    expect(related(() => [9999])).toEqual([]);
    const unknown = ({ model, ...rest }: Opened): Opened => ({ ...rest, model: { ...model, timeOfRow: () => 0 } });
    expect(related((model) => [named(model, 'plan').firstRow], unknown)).toEqual([]);
  });

  it('is marked in the row of a thread that is away, with the line to it', () => {
    const away = (opened: Opened): Opened => ({ ...opened, l: restack(opened.l, new Set(['t'])) });
    const half = restack(l, new Set(['t'])).groups[0]!.height / 2;
    expect(related((model) => [named(model, 'search').firstRow], away)).toEqual([[xOf(open, 2), half]]);
  });

  it('is marked too while the finding of a row is picked, or the finding is pointed at', () => {
    const rows = (model: TimelineModel) => [named(model, 'search').firstRow];
    const { row } = open.model.findings[0]!;
    expect(related(rows, undefined, { selection: { kind: 'row', row: row! } })).toHaveLength(1);
    expect(related(rows, undefined, { selection: { kind: 'none' }, hover: { kind: 'finding', id: 0 } })).toHaveLength(1);
  });
});

describe('lines from run to run', () => {
  it('lead to their other end', () => {
    const open = openScene(SCENES['answered']!);
    const { band } = runNamed(open.l, 'run_1');
    const y = band.top + band.runBar / 2;
    const under = (seconds: number, dy = 0) => hitTest(open.l, open.window, xOf(open, seconds), y + dy);
    expect(under(6)).toEqual(onRun(open.l, 'run_2'));
    expect(under(6, 6)).toBeNull();
    // the third run waits still: its line leads nowhere
    expect(under(15.8)).toBeNull();
    const parents = openScene(SCENES['parents']!);
    const child = runNamed(parents.l, 'run_2').band;
    expect(hitTest(parents.l, parents.window, xOf(parents, 5), child.top + child.runBar * 0.22)).toEqual(onRun(parents.l, 'run_1'));
    expect(hitTest(parents.l, parents.window, xOf(parents, 11), child.top + child.runBar * 0.22)).toBeNull();
  });

  it('bend from thread to thread', () => {
    const answer = run({ id: 'b', a: 6, b: 9, request: 5.5, resume: [{ interruptId: 'i_1', status: 'resolved' }] });
    const asked = run({ id: 'a', a: 0, b: 4, status: 'interrupted' });
    const beside = run({ id: 'c', a: 4.5, b: 8 });
    const open = openStories([asked, beside, answer], [0, 10]);
    expect(runNamed(open.l, 'a').band).not.toBe(runNamed(open.l, 'b').band);
    const curves = (opened: Opened) => drawn(plot(opened), 'line', 'st-interrupted').filter(({ points }) => points.length > 4);
    expect(curves(open)).toHaveLength(1);
    expect(textsOf(plot(open)).some((text) => text.startsWith('answered after'))).toBe(false);
  });

  it('go to the first run that answers, and say when all answers gave up', () => {
    const resume = (status: string) => [{ interruptId: 'i_1', status }];
    const stories = (first: string, second: string) => [
      run({ id: 'a', b: 2, status: 'interrupted' }),
      run({ id: 'late', a: 7, b: 8, resume: resume(first) }),
      run({ id: 'b', a: 4, b: 5, resume: resume(second) }),
      run({ id: 'c', thread: 'u', a: 3, b: 4, resume: resume(second) }),
    ];
    const words = (first: string, second: string) => textsOf(plot(openStories(stories(first, second), [0, 10]))).filter((text) => /after/.test(text));
    expect(words('resolved', 'resolved')).toContain('answered after 2.00 s');
    expect(words('resolved', 'cancelled')).toContain('given up after 2.00 s');
  });

  it('to a parent in another thread are drawn only while one of both is picked, and none from a run to itself', () => {
    const scene = { ...SCENES['parents']! };
    const lines = (look: Partial<Look>) => drawn(plot(openScene(scene, look)), 'line', 'text-2').length;
    const { l } = openScene(scene);
    expect([lines({ selection: { kind: 'none' } }), lines({ selection: onRun(l, 'run_3') as never }), lines({ focus: onRun(l, 'run_1') })]).toEqual([0, 1, 2]);
    const own = openStories([run({ more: { parentRunId: 'r' } })], [0, 10]);
    expect(own.l.links).toEqual([]);
  });
});
