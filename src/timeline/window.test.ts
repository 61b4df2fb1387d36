import { describe, expect, it } from 'vitest';
import { foldsOf } from './folds.ts';
import { awayFrom, restack } from './layout.ts';
import { EPOCH, type RunStory } from './scenes/build.ts';
import { onRun, onSpan, openStories, runNamed, spanNamed } from './scenes/open.ts';
import type { Target } from './types.ts';
import { around, groupOf, heightsOf, moved, tail, timesOf, widthOf } from './window.ts';

const STORIES: readonly RunStory[] = [
  {
    id: 'r1',
    thread: 'a',
    request: 1,
    a: 2,
    b: 6,
    status: 'succeeded',
    spans: [{ kind: 'step', name: 'plan', a: 3, b: 5 }],
    ticks: [[4, 'state-delta']],
    findings: [{ severity: 'advice', rule: 'x', at: 4.5, span: 'plan' }],
  },
  { id: 'r2', thread: 'a', a: 8, b: null, status: 'active', spans: [{ kind: 'step', name: 'write', a: 9, b: null }] },
  { id: 'r3', thread: 'b', a: 3, b: 4, status: 'succeeded' },
];
const { l, model } = openStories(STORIES, [0, 12]);
const tick: Target = { kind: 'tick', row: model.ticks[0]!.row };
const finding: Target = { kind: 'finding', id: 0 };
const NOWHERE: readonly Target[] = [
  { kind: 'run', id: 99 },
  { kind: 'span', id: 99 },
  { kind: 'tick', row: 99 },
  { kind: 'finding', id: 99 },
  { kind: 'thread', key: 'c' },
];

describe('what a target needs to be in sight', () => {
  const seconds = (target: Target) => {
    const times = timesOf(l, target);
    return times && [(times.from - EPOCH) / 1000, (times.to - EPOCH) / 1000];
  };

  it('in time: a run with its request, what is open up to now', () => {
    expect(seconds(onRun(l, 'r1'))).toEqual([1, 6]);
    expect(seconds(onRun(l, 'r2'))).toEqual([8, 12]);
    expect(seconds(onRun(l, 'r3'))).toEqual([3, 4]);
    expect(seconds(onSpan(l, 'plan'))).toEqual([3, 5]);
    expect(seconds(onSpan(l, 'write'))).toEqual([9, 12]);
    expect(seconds(tick)).toEqual([4, 4]);
    expect(seconds(finding)).toEqual([4.5, 4.5]);
    expect(seconds({ kind: 'thread', key: 'a' })).toEqual([2, 12]);
  });

  it('in height: its bar, its mark, its lane, its thread', () => {
    const top = l.groups[1]!.top;
    expect(top).toBe(l.groups[0]!.height);
    const { band } = runNamed(l, 'r3');
    expect(heightsOf(l, onRun(l, 'r3'))).toEqual({ top: top + band.top, bottom: top + band.top + band.runBar });
    const { lane } = spanNamed(l, 'plan');
    expect(heightsOf(l, onSpan(l, 'plan'))).toEqual({ top: lane.y, bottom: lane.y + lane.height });
    const middle = lane.y + lane.height / 2;
    expect(heightsOf(l, finding)).toEqual({ top: middle - 8, bottom: middle + 8 });
    const [state] = runNamed(l, 'r1').band.states;
    expect(heightsOf(l, tick)).toEqual({ top: state!.y, bottom: state!.y + state!.height });
    expect(heightsOf(l, { kind: 'thread', key: 'b' })).toEqual({ top, bottom: l.height });
  });

  it('of a thread that is away is its row', () => {
    const low = restack(l, awayFrom(l, { from: EPOCH + 10_000, to: EPOCH + 12_000 }));
    const [first, second] = low.groups;
    expect([first!.away, second!.away]).toEqual([false, true]);
    expect(heightsOf(low, onRun(low, 'r3'))).toEqual({ top: second!.top, bottom: second!.top + second!.height });
    expect(groupOf(low, onRun(low, 'r3'))).toBe(second);
    expect(groupOf(low, finding)).toBe(first);
  });

  it('is nothing where the layout has no such thing', () => {
    for (const target of NOWHERE) expect([timesOf(l, target), heightsOf(l, target), groupOf(l, target)]).toEqual([null, null, null]);
  });
});

describe('windows about a time', () => {
  const span = { from: 1000, to: 2000 };

  it('are as wide as before', () => {
    expect(tail(5000, 1000)).toEqual({ from: 4040, to: 5040 });
    expect(moved(span, 1500, 1800)).toEqual({ from: 1300, to: 2300 });
    expect(around(5000, span)).toEqual({ from: 4500, to: 5500 });
  });

  it('are as wide on an axis with folds, and so less wide in time', () => {
    const idle = openStories(
      [
        { id: 'r1', thread: 't', a: 0, b: 10, status: 'succeeded' },
        { id: 'r2', thread: 't', a: 3610, b: 3620, status: 'succeeded' },
      ],
      [0, 3620],
    );
    const folds = foldsOf(idle.l);
    expect(folds.list).toHaveLength(1);
    const all = { from: EPOCH, to: EPOCH + 3_620_000 };
    expect(widthOf(all)).toBe(3_620_000);
    expect(widthOf(all, folds)).toBeLessThan(21_000);
    // twenty seconds that end with the capture begin before the fold
    const last = tail(EPOCH + 3_620_000, 20_000, folds);
    expect(last.from).toBeLessThan(EPOCH + 10_000);
    expect(widthOf(last, folds)).toBeCloseTo(20_000, 3);
    expect(widthOf(around(EPOCH + 3_611_000, { from: EPOCH, to: EPOCH + 4000 }, folds), folds)).toBeCloseTo(4000, 3);
    const over = moved({ from: EPOCH, to: EPOCH + 2000 }, EPOCH, EPOCH + 3_611_000, folds);
    expect(over.from).toBeCloseTo(EPOCH + 3_611_000, 3);
  });
});
