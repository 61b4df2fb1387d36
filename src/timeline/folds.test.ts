import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeTarget } from './describe.ts';
import { display } from './display.ts';
import { type Fold, type Folds, foldsOf, fromAxis, toAxis, UNFOLDED } from './folds.ts';
import { gutter, ruler } from './gutter.ts';
import { hitTest } from './hit.ts';
import { awayFrom, layout, restack } from './layout.ts';
import { overview, stripScale } from './overview.ts';
import { CALM } from './pen.ts';
import { wholeRows } from './rows.ts';
import { duration, ticks, timeScale } from './scale.ts';
import { buildModel, EPOCH, type RunStory } from './scenes/build.ts';
import { SCENES } from './scenes/index.ts';
import { FULL, GUTTER } from './sizes.ts';
import type { Measure, Window } from './types.ts';
import { fitted, heightsOf, panned, zoomed } from './window.ts';

const measure: Measure = (text, size) => text.length * size * 0.6;
const options = { folded: new Set<string>(), density: FULL, narrow: false };

/** Runs one after the other with idle stretches between them, from milliseconds to days. */
const stories = fc
  .array(fc.record({ length: fc.double({ min: 0.01, max: 60, noNaN: true }), idle: fc.double({ min: 0, max: 5, noNaN: true }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((runs) => {
    let at = 1;
    return runs.map(({ length, idle }, i): RunStory => {
      const a = at;
      at = a + length + 10 ** idle - 1;
      return {
        id: `r${i}`,
        thread: `t${i % 2}`,
        request: a - 0.01,
        a,
        b: a + length,
        status: 'succeeded',
        spans: [{ kind: 'step', name: `s${i}`, a: a + length * 0.2, b: a + length * 0.8 }],
      };
    });
  });

function open(runs: readonly RunStory[]) {
  const last = runs.at(-1)!;
  const model = buildModel(runs, last.b! + 1);
  const l = layout(model, options);
  const folds = foldsOf(l);
  const limits = { from: l.origin, to: EPOCH + last.b! * 1000 };
  const window: Window = { ...fitted(limits, 0.025, folds), width: 1200, height: 400, scroll: 0, gutter: GUTTER, folds };
  return { model, l, folds, limits, window };
}

const LONG: readonly RunStory[] = [
  { id: 'a', thread: 't', request: 0, a: 0, b: 10, status: 'succeeded', spans: [{ kind: 'step', name: 'one', a: 1, b: 9 }] },
  { id: 'b', thread: 't', request: 3609.5, a: 3610, b: 3620, status: 'succeeded', spans: [{ kind: 'step', name: 'two', a: 3611, b: 3619 }] },
];

describe('folds', () => {
  it('shorten what is idle and nothing else', () => {
    fc.assert(
      fc.property(stories, (runs) => {
        const { l, folds } = open(runs);
        for (const fold of folds.list) {
          expect(fold.kept).toBeLessThan(fold.to - fold.from);
          for (const { thread } of l.groups) {
            for (const run of thread.runs.values()) expect(run.close <= fold.from + 1e-6 || (run.request ?? run.start) >= fold.to - 1e-6).toBe(true);
          }
        }
      }),
    );
  });

  it('give every time one place, in order, and every place its time', () => {
    fc.assert(
      fc.property(stories, fc.array(fc.double({ min: -1e6, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 20 }), (runs, times) => {
        const { folds } = open(runs);
        const sorted = [...times, ...folds.list.flatMap((fold) => [fold.from, (fold.from + fold.to) / 2, fold.to])].toSorted((a, b) => a - b);
        let before = Number.NEGATIVE_INFINITY;
        for (const time of sorted) {
          const place = toAxis(folds, time);
          expect(place).toBeGreaterThanOrEqual(before);
          before = place;
          expect(Math.abs(fromAxis(folds, place) - time)).toBeLessThan(1e-3 + Math.abs(time) * 1e-6);
        }
      }),
    );
  });

  it('leave times as they are where nothing is folded', () => {
    expect([toAxis(UNFOLDED, 12.5), fromAxis(UNFOLDED, 12.5)]).toEqual([12.5, 12.5]);
  });

  it('leave the time in which a call waits for the app', () => {
    const waiting: RunStory = { ...LONG[0]!, spans: [{ kind: 'tool', name: 'ask', a: 1, b: 2, quiet: [2, 2], result: 1800 }] };
    const [fold, ...more] = open([waiting, LONG[1]!]).folds.list;
    expect([Math.round(fold!.from), more]).toEqual([1_800_000, []]);
  });

  it('are the same object until something changes', () => {
    const { l, folds } = open(LONG);
    expect(foldsOf(l, folds)).toBe(folds);
    expect(folds.list).toHaveLength(1);
    expect(foldsOf(l, { origin: 0, list: [] } as Folds)).not.toBe(UNFOLDED);
  });
});

describe('a window with folds', () => {
  it('shows two short runs an hour apart side by side', () => {
    const { l, window } = open(LONG);
    const scale = timeScale(window, l.origin);
    const [a, b] = [...l.groups[0]!.thread.runs.values()];
    expect(scale.x(a!.close) - scale.x(a!.start)).toBeGreaterThan(450);
    expect(scale.x(b!.close) - scale.x(b!.start)).toBeGreaterThan(450);
  });

  it('finds every span under the pointer where it is drawn, and its time under the cursor', () => {
    fc.assert(
      fc.property(stories, (runs) => {
        const { l, window } = open(runs);
        const scale = timeScale(window, l.origin);
        for (const group of l.groups) {
          for (const span of group.thread.spans.values()) {
            const middle = (span.start + span.end) / 2;
            const x = scale.x(middle);
            expect(Math.abs(scale.time(x) - middle)).toBeLessThan(scale.msPerPx * 0.01 + 1e-3);
            if (scale.x(span.end) - scale.x(span.start) < 8) continue;
            const target = hitTest(l, { ...window, height: 2000 }, x, group.top + span.lane.y + span.lane.height / 2);
            expect(target).toEqual({ kind: 'span', id: span.view.id });
          }
        }
      }),
    );
  });

  it('has ticks that ascend, none in a fold, and labels that never touch', () => {
    fc.assert(
      fc.property(stories, (runs) => {
        const { l, folds, window } = open(runs);
        const scale = timeScale(window, l.origin);
        let [before, end] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
        for (const { time, label } of ticks(window, l.origin, measure).list) {
          expect(time).toBeGreaterThan(before);
          before = time;
          const inside = (fold: Fold) => time > fold.from + 1e-6 && time < fold.to - 1e-6;
          expect(folds.list.some(inside)).toBe(false);
          expect(scale.x(time)).toBeGreaterThanOrEqual(end);
          end = scale.x(time) + measure(label, 10, false);
        }
      }),
    );
  });

  it('keeps the time under the pointer as it zooms, and pans by px', () => {
    fc.assert(
      fc.property(stories, fc.integer({ min: GUTTER, max: 1200 }), fc.double({ min: 0.3, max: 0.95, noNaN: true }), (runs, x, factor) => {
        const { l, limits, window } = open(runs);
        const time = timeScale(window, l.origin).time(x);
        const near: Window = { ...window, ...zoomed(window, factor, x, limits) };
        expect(Math.abs(timeScale(near, l.origin).x(time) - x)).toBeLessThan(1);
        const moved: Window = { ...near, ...panned(near, 10, limits) };
        expect(Math.abs(timeScale(moved, l.origin).x(time) - (x - 10))).toBeLessThan(1);
      }),
    );
  });

  it('tells the length of a break on the ruler, draws it in the plot and in the overview', () => {
    const { model, l, folds, window } = open(LONG);
    const [fold] = folds.list;
    const label = duration(fold!.to - fold!.from);
    expect(label).toBe('1 h');
    expect(ruler(l, window, CALM, measure).some((draw) => draw.op === 'text' && draw.text === label)).toBe(true);
    const strip = { width: 1200, height: 58, gutter: GUTTER, folds };
    expect(overview(model, strip, measure).some((draw) => draw.op === 'text' && draw.text === label)).toBe(true);
    const x = Math.round(timeScale(window, l.origin).x(fold!.from));
    expect(display(l, model, window, CALM, measure).some((draw) => draw.op === 'rect' && draw.fill === 'surface-hover' && draw.x === x)).toBe(true);
    const { x: at, time } = stripScale(model, strip);
    for (const share of [0.1, 0.3, 0.7]) expect(Math.abs(at(time(GUTTER + 1000 * share)) - (GUTTER + 1000 * share))).toBeLessThan(0.5);
  });

  it('measures real time over a break', () => {
    const { l, window } = open(LONG);
    const measured = { from: EPOCH, to: EPOCH + 3_620_000 };
    expect(ruler(l, window, { ...CALM, measured }, measure).some((draw) => draw.op === 'text' && draw.text === duration(3_620_000))).toBe(true);
  });
});

describe('threads out of sight', () => {
  const model = SCENES['travel']!.model();
  const l = layout(model, options);
  const view = { from: EPOCH + 66_600, to: EPOCH + 78_000 };

  it('keep one row, which says where they are', () => {
    expect([...awayFrom(l, view)].toSorted()).toEqual(['t_faq', 't_refund']);
    const low = restack(l, awayFrom(l, view));
    expect(low.groups.map((group) => group.height)).toEqual([l.groups[0]!.thread.height, 21, 21]);
    expect(low.height).toBeLessThan(l.height);
    expect(low.full).toBe(l.height);
    const window: Window = { ...view, width: 1000, height: 600, scroll: 0, gutter: GUTTER };
    const arrows = gutter(low, window, CALM, measure).filter((draw) => draw.op === 'poly');
    // the refunds before and after, the questions only before
    expect(arrows).toHaveLength(3);
    expect(hitTest(low, window, 20, low.groups[2]!.top + 5)).toEqual({ kind: 'thread', key: 't_faq' });
    expect(describeTarget(low, { kind: 'thread', key: 't_faq' })?.facts).toContain('none in sight');
    const run = model.runs.find((one) => one.runId === 'run_f1')!;
    expect(heightsOf(low, { kind: 'run', id: run.id })).toEqual({ top: low.groups[2]!.top, bottom: low.groups[2]!.top + 21 });
  });

  it('get their height back with their runs', () => {
    const back = restack(restack(l, awayFrom(l, view)), awayFrom(l, { from: EPOCH, to: EPOCH + 100_000 }));
    expect(back.groups).toEqual(l.groups);
  });
});

describe('the lower edge', () => {
  it('never cuts a lane, wherever it is scrolled to', () => {
    const l = layout(SCENES['travel']!.model(), options);
    const lanes = l.groups.flatMap(({ top, thread }) =>
      thread.bands.flatMap((band) => band.lanes.map((lane) => [top + lane.y, top + lane.y + lane.height] as const)),
    );
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 420 }), fc.integer({ min: 0, max: 300 }), (height, scroll) => {
        const window: Window = { from: EPOCH, to: EPOCH + 100_000, width: 1000, height, scroll, gutter: GUTTER };
        const end = scroll + wholeRows(l, window);
        expect(end).toBeLessThanOrEqual(scroll + height);
        // a lane is cut only where no other ends in the lower part
        const cut = lanes.some(([from, to]) => end > from && end < to);
        if (cut) expect(lanes.some(([, to]) => to > scroll + height * 0.4 && to <= scroll + height)).toBe(false);
      }),
    );
  });
});
