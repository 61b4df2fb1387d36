import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldableOf, standsFor } from './foldable.ts';
import { foldAt, hitTest } from './hit.ts';
import { layout } from './layout.ts';
import { neighbour, runBeside } from './neighbour.ts';
import type { Layout } from './placed.ts';
import { buildModel, EPOCH, type RunStory, type SpanStory } from './scenes/build.ts';
import { FULL, GUTTER } from './sizes.ts';
import type { Target, Window } from './types.ts';

const options = { folded: new Set<string>() as ReadonlySet<string>, density: FULL, narrow: false };

const step = (name: string, a: number, b: number, owner?: string): SpanStory => ({ kind: 'step', name, a, b, ...(owner ? { owner } : {}) });
const agent = (name: string, a: number, b: number, parent?: string): SpanStory => ({ kind: 'subagent', name, a, b, ...(parent ? { parent } : {}) });

/** Two runs one after the other in one thread; in the first a subagent in a subagent, beside another one. */
const STORIES: readonly RunStory[] = [
  {
    id: 'r1',
    thread: 't',
    a: 0,
    b: 10,
    status: 'succeeded',
    ticks: [[5, 'state-delta']],
    spans: [
      step('plan', 1, 9),
      agent('outer', 2, 6),
      step('dig', 2.5, 5, 'outer'),
      agent('inner', 3, 5, 'outer'),
      step('deep', 3.5, 4.5, 'inner'),
      agent('next', 7, 9),
      step('sum', 7.5, 8.5, 'next'),
    ],
    findings: [
      { severity: 'violation', rule: 'in-step', at: 4, span: 'dig' },
      { severity: 'advice', rule: 'in-run', at: 5 },
    ],
  },
  { id: 'r2', thread: 't', a: 11, b: 20, status: 'succeeded', spans: [step('answer', 12, 19)] },
];
const model = buildModel(STORIES, 21);

const spanOf = (l: Layout, name: string) => [...l.groups[0]!.thread.spans.values()].find((span) => span.view.label === name || span.view.itemId === name)!;
const runOf = (l: Layout, name: string) => [...l.groups[0]!.thread.runs.values()].find((run) => run.view.runId === name)!;
const onSpan = (l: Layout, name: string): Target => ({ kind: 'span', id: spanOf(l, name).view.id });
const onRun = (l: Layout, name: string): Target => ({ kind: 'run', id: runOf(l, name).view.id });
const fold = (...targets: ((l: Layout) => Target)[]): Layout => {
  const open = layout(model, options);
  return layout(model, { ...options, folded: new Set(targets.map((target) => foldableOf(open, target(open))!.key)) }, open);
};

describe('a folded run', () => {
  const l = fold((open) => onRun(open, 'r1'));

  it('is as low as its thin lanes, and leaves the run beside it as it was', () => {
    const open = layout(model, options);
    expect(runOf(l, 'r1').bottom).toBeLessThan(runOf(open, 'r1').bottom - 60);
    expect(spanOf(l, 'plan').lane.height).toBe(FULL.micro);
    expect(spanOf(l, 'answer').lane).toMatchObject({ y: spanOf(open, 'answer').lane.y, height: FULL.lane, micro: false });
    expect(l.height).toBeLessThan(open.height);
  });

  it('has its findings on its own box', () => {
    for (const { mark } of l.markOf.values()) {
      expect(mark.y).toBeGreaterThan(runOf(l, 'r1').band.note);
      expect(mark.y).toBeLessThan(runOf(l, 'r1').bottom);
    }
  });

  it('stands for all that is in it, and is walked over to the next', () => {
    for (const name of ['plan', 'outer', 'deep']) expect(standsFor(l, onSpan(l, name))).toEqual(onRun(l, 'r1'));
    expect(neighbour(l, onRun(l, 'r1'), 'down')).toBeNull();
    expect(neighbour(l, onSpan(l, 'deep'), 'right')).toEqual(onRun(l, 'r1'));
    expect(neighbour(l, onRun(l, 'r2'), 'down')).toEqual(onSpan(l, 'answer'));
  });
});

describe('a folded subagent', () => {
  const l = fold((open) => onSpan(open, 'outer'));

  it('keeps its bar and makes thin what ran in it, also in subagents of it', () => {
    expect(spanOf(l, 'outer')).toMatchObject({ folded: true, lane: { height: FULL.lane } });
    for (const name of ['dig', 'inner', 'deep']) expect(spanOf(l, name).lane.height).toBe(FULL.micro);
    for (const name of ['plan', 'next', 'sum']) expect(spanOf(l, name).lane.height).toBe(FULL.lane);
    expect(spanOf(l, 'outer').box!.bottom).toBeLessThan(spanOf(l, 'sum').lane.y + FULL.lane);
  });

  it('has the findings of what ran in it on its own bar', () => {
    const mark = [...l.markOf.values()].find((one) => one.mark.view.rule === 'in-step')!.mark;
    expect(mark.y).toBe(spanOf(l, 'outer').lane.y + FULL.lane / 2);
  });

  it('stands for what is in it; the outermost of several does', () => {
    const both = fold(
      (open) => onSpan(open, 'outer'),
      (open) => onSpan(open, 'inner'),
    );
    expect(standsFor(both, onSpan(both, 'deep'))).toEqual(onSpan(both, 'outer'));
    expect(standsFor(both, onSpan(both, 'sum'))).toEqual(onSpan(both, 'sum'));
  });
});

describe('the sign at the head of a bar', () => {
  const window: Window = { from: EPOCH, to: EPOCH + 21_000, width: 1000, height: 600, scroll: 0, gutter: GUTTER };

  it('is found where it is drawn, and nowhere else', () => {
    const l = layout(model, options);
    const x = (seconds: number) => GUTTER + ((1000 - GUTTER) * seconds) / 21;
    const bar = runOf(l, 'r1').band.top + 6;
    expect(foldAt(l, window, x(0) + 10, bar)?.key).toBe(foldableOf(l, onRun(l, 'r1'))!.key);
    expect(foldAt(l, window, x(0) + 40, bar)).toBeNull();
    expect(hitTest(l, window, x(0) + 40, bar)).toEqual(onRun(l, 'r1'));
    const lane = spanOf(l, 'outer').lane.y + 9;
    expect(foldAt(l, window, x(2) + 9, lane)?.key).toBe(foldableOf(l, onSpan(l, 'outer'))!.key);
    expect(foldAt(l, window, x(1) + 9, spanOf(l, 'plan').lane.y + 9)).toBeNull();
  });

  it('has its likes with it: the runs of the thread, the subagents of the run', () => {
    const l = layout(model, options);
    expect(foldableOf(l, onRun(l, 'r2'))!.likes).toHaveLength(2);
    expect(foldableOf(l, onSpan(l, 'next'))!.likes).toHaveLength(3);
    expect(foldableOf(l, onSpan(l, 'plan'))).toBeNull();
  });
});

describe('whatever is folded', () => {
  it('loses no span, overlaps none, and lets the pointer reach each', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (which) => {
        // a finding would come before the span under it
        const bare = { ...model, findings: [], ticks: [] };
        const open = layout(bare, options);
        const all = [onRun(open, 'r1'), onRun(open, 'r2'), onSpan(open, 'outer'), onSpan(open, 'inner'), onSpan(open, 'next')];
        const keys = all.filter((_, i) => which[i]).map((target) => foldableOf(open, target)!.key);
        const l = layout(bare, { ...options, folded: new Set(keys) }, open);
        const lanes = l.groups[0]!.thread.bands.flatMap((band) => band.lanes);
        expect(lanes.flatMap((lane) => lane.spans).length).toBe(model.spans.length);
        for (const { spans } of lanes) for (let i = 1; i < spans.length; i++) expect(spans[i]!.start).toBeGreaterThanOrEqual(spans[i - 1]!.end);
        for (const span of l.groups[0]!.thread.spans.values()) {
          const at = EPOCH + (span.start + span.end) / 2;
          const window: Window = { from: at - 100, to: at + 100, width: 1000, height: 800, scroll: 0, gutter: GUTTER };
          const x = GUTTER + (1000 - GUTTER) / 2;
          expect(hitTest(l, window, x, span.lane.y + span.lane.height / 2), span.view.itemId).toEqual({ kind: 'span', id: span.view.id });
          expect(span.lane.y + span.lane.height).toBeLessThanOrEqual(span.run.bottom);
        }
      }),
    );
  });

  it('is laid out as if from nothing, whatever was there before', () => {
    const folded = fold((open) => onSpan(open, 'outer'));
    const again = layout(model, options, folded);
    expect(again.height).toBe(layout(model, options).height);
    expect(spanOf(again, 'dig').lane.height).toBe(FULL.lane);
  });
});

describe('runs one after the other', () => {
  it('are gone through from wherever one is, and end at the ends', () => {
    const l = layout(model, options);
    expect(runBeside(l, onSpan(l, 'deep'), 1)).toEqual(onRun(l, 'r2'));
    expect(runBeside(l, onRun(l, 'r2'), -1)).toEqual(onRun(l, 'r1'));
    expect(runBeside(l, onRun(l, 'r2'), 1)).toBeNull();
  });
});
