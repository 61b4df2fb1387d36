import { describe, expect, it } from 'vitest';
import { foldableOf, isFoldedAway, standsFor } from './foldable.ts';
import { foldAt, hitTest } from './hit.ts';
import { awayFrom, findTick, restack } from './layout.ts';
import { findingsInOrder, firstTarget, neighbour, runBeside } from './neighbour.ts';
import { EPOCH, type RunStory } from './scenes/build.ts';
import { onRun, onSpan, openStories, runNamed, spanNamed, xOf } from './scenes/open.ts';
import type { Target } from './types.ts';

const STORIES: readonly RunStory[] = [
  {
    id: 'r1',
    thread: 'a',
    a: 1,
    b: 6,
    status: 'succeeded',
    spans: [
      { kind: 'step', name: 'plan', a: 2, b: 5 },
      { kind: 'subagent', name: 'scout', a: 2, b: 5 },
      { kind: 'step', name: 'dig', a: 3, b: 4, owner: 'scout' },
    ],
    ticks: [
      [3, 'state-delta'],
      [4, 'state-delta'],
    ],
    findings: [
      { severity: 'advice', rule: 'on-run', at: 5.5 },
      { severity: 'advice', rule: 'on-plan', at: 5.5, span: 'plan' },
      { severity: 'advice', rule: 'first', at: 2.5, span: 'dig' },
    ],
  },
  { id: 'bare', thread: 'a', a: 7, b: 8, status: 'succeeded' },
  { id: 'r2', thread: 'b', a: 9, b: null, status: 'active', spans: [{ kind: 'step', name: 'write', a: 10, b: null }], ticks: [[11, 'custom']] },
];
const open = openStories(STORIES, [0, 12]);
const { l, model, window } = open;
const tick = (no: number): Target => ({ kind: 'tick', row: model.ticks[no]!.row });
const finding = (id: number): Target => ({ kind: 'finding', id });
const thread = (key: string): Target => ({ kind: 'thread', key });
const GONE: readonly Target[] = [{ kind: 'run', id: 99 }, { kind: 'span', id: 99 }, { kind: 'tick', row: 99 }, finding(99), thread('z')];

describe('walking by keyboard', () => {
  it('goes from point to point, and from them to the run and the thread below', () => {
    expect([neighbour(l, tick(0), 'right'), neighbour(l, tick(1), 'left')]).toEqual([tick(1), tick(0)]);
    expect([neighbour(l, tick(0), 'left'), neighbour(l, tick(1), 'right')]).toEqual([null, null]);
    expect(neighbour(l, tick(1), 'down')).toEqual(onRun(l, 'r2'));
    expect(neighbour(l, onRun(l, 'r2'), 'up')).toEqual(tick(1));
    expect(neighbour(l, onRun(l, 'r1'), 'up')).toBeNull();
  });

  it('goes from a finding to its run, to its span, and to the findings beside it in time', () => {
    expect(findingsInOrder(l)).toEqual([2, 0, 1]);
    expect([neighbour(l, finding(0), 'left'), neighbour(l, finding(0), 'right')]).toEqual([finding(2), finding(1)]);
    expect([neighbour(l, finding(2), 'left'), neighbour(l, finding(1), 'right')]).toEqual([null, null]);
    expect([neighbour(l, finding(0), 'up'), neighbour(l, finding(0), 'down')]).toEqual([onRun(l, 'r1'), null]);
    expect(neighbour(l, finding(1), 'down')).toEqual(onSpan(l, 'plan'));
  });

  it('goes down from a thread to its first run, and over what a run has not', () => {
    expect(neighbour(l, thread('b'), 'down')).toEqual(onRun(l, 'r2'));
    expect(neighbour(l, thread('b'), 'up')).toBeNull();
    // the bare run shares its lanes with another, but has nothing in them
    expect(neighbour(l, onRun(l, 'bare'), 'down')).toEqual(onRun(l, 'r2'));
  });

  it('ends where nothing is', () => {
    for (const target of GONE) for (const direction of ['left', 'right', 'up', 'down'] as const) expect(neighbour(l, target, direction)).toBeNull();
    expect(firstTarget(openStories([], [0, 1]).l, EPOCH)).toBeNull();
  });

  it('begins at the run nearest to a time', () => {
    expect(firstTarget(l, EPOCH)).toEqual(onRun(l, 'r1'));
    expect(firstTarget(l, EPOCH + 7400)).toEqual(onRun(l, 'bare'));
    expect(firstTarget(l, EPOCH + 90_000)).toEqual(onRun(l, 'r2'));
  });

  it('finds the run beside, from wherever in it one is', () => {
    for (const from of [onRun(l, 'r1'), onSpan(l, 'dig'), tick(1), finding(0), finding(2)]) expect(runBeside(l, from, 1)).toEqual(onRun(l, 'bare'));
    for (const from of [onSpan(l, 'write'), tick(2)]) expect(runBeside(l, from, -1)).toEqual(onRun(l, 'bare'));
    for (const from of GONE) expect([runBeside(l, from, 1), runBeside(l, from, -1)]).toEqual([null, null]);
  });
});

describe('what is folded', () => {
  const keyOf = (target: Target) => foldableOf(l, target)!.key;
  const shut = (...targets: Target[]) => openStories(STORIES, [0, 12], { folded: new Set(targets.map(keyOf)) }).l;

  it('is told of what is in a run or a subagent, in a thread that is open', () => {
    const away = shut(onRun(l, 'r1'));
    const { thread: group } = away.groups[0]!;
    expect(isFoldedAway(group, spanNamed(away, 'plan'))).toBe(true);
    const inner = shut(onSpan(l, 'scout'));
    const at = (name: string) => isFoldedAway(inner.groups[0]!.thread, spanNamed(inner, name));
    expect([at('dig'), at('scout'), at('plan')]).toEqual([true, false, false]);
    const whole = openStories(STORIES, [0, 12], { folded: new Set(['a', keyOf(onRun(l, 'r1'))]) }).l;
    expect(isFoldedAway(whole.groups[0]!.thread, spanNamed(whole, 'plan'))).toBe(false);
    expect(standsFor(whole, onSpan(whole, 'plan'))).toEqual(onSpan(whole, 'plan'));
    expect(foldableOf(whole, onRun(whole, 'r1'))).toBeNull();
  });

  it('stands for its points as well, and lets pass what is not there', () => {
    const away = shut(onRun(l, 'r1'));
    expect(standsFor(away, tick(0))).toEqual(onRun(away, 'r1'));
    expect(standsFor(away, tick(2))).toEqual(tick(2));
    for (const target of GONE) expect([standsFor(l, target), foldableOf(l, target)]).toEqual([target, null]);
    expect(foldableOf(l, finding(0))).toBeNull();
    expect(foldableOf(l, onRun(l, 'bare'))).toBeNull();
  });
});

describe('the pointer', () => {
  const bar = (name: string) => runNamed(l, name).band.top + l.groups.find(({ thread: { runs } }) => runs.has(runNamed(l, name).view.id))!.top + 5;

  it('finds a run by its head and by its right edge, not by the ground under its bars', () => {
    const { bottom, band } = runNamed(l, 'r1');
    expect(hitTest(l, window, xOf(open, 3), bar('r1'))).toEqual(onRun(l, 'r1'));
    expect(hitTest(l, window, xOf(open, 6) + 1, bottom - 3)).toEqual(onRun(l, 'r1'));
    expect(hitTest(l, window, xOf(open, 1.5), band.note + 10)).toBeNull();
    expect(hitTest(l, window, xOf(open, 11), bar('r2'))).toEqual(onRun(l, 'r2'));
  });

  it('takes the nearest of two points', () => {
    const near = { ...window, from: EPOCH, to: EPOCH + 120_000 };
    const [state] = runNamed(l, 'r1').band.states;
    const x = (seconds: number) => xOf({ l, window: near }, seconds);
    expect(x(4) - x(3)).toBeLessThan(8);
    expect([hitTest(l, near, x(3) - 1, state!.y + 5), hitTest(l, near, x(4) + 1, state!.y + 5)]).toEqual([tick(0), tick(1)]);
  });

  it('finds strips of runs in a thread that is one row', () => {
    const low = restack(l, new Set(['a', 'b']));
    const y = (no: number) => low.groups[no]!.top + 10;
    expect(hitTest(low, window, xOf(open, 3), y(0))).toEqual(onRun(l, 'r1'));
    expect(hitTest(low, window, xOf(open, 7.5), y(0))).toEqual(onRun(l, 'bare'));
    expect(hitTest(low, window, xOf(open, 6.5), y(0))).toBeNull();
    expect(hitTest(low, window, xOf(open, 11), y(1))).toEqual(onRun(l, 'r2'));
    expect(foldAt(low, window, xOf(open, 1) + 10, y(0))).toBeNull();
  });

  it('finds no fold sign outside of the plot, below the last row, or in a folded thread', () => {
    expect(foldAt(l, window, xOf(open, 1) + 10, bar('r1'))).not.toBeNull();
    expect(foldAt(l, window, 20, bar('r1'))).toBeNull();
    expect(foldAt(l, window, xOf(open, 1) + 10, 5000)).toBeNull();
    const folded = openStories(STORIES, [0, 12], { folded: new Set(['a']) }).l;
    expect(foldAt(folded, window, xOf(open, 1) + 10, runNamed(folded, 'r1').band.top + 2)).toBeNull();
    // a run with nothing in it has no sign
    expect(foldAt(l, { ...window, from: EPOCH + 6900, to: EPOCH + 8100 }, 136 + 90, bar('bare'))).toBeNull();
  });

  it('finds the thread by its title in a narrow dock', () => {
    const narrow = openStories(STORIES, [0, 12], { narrow: true });
    const [, second] = narrow.l.groups;
    const { title } = second!.thread;
    const at = (y: number) => hitTest(narrow.l, narrow.window, 500, second!.top + y);
    expect([at(title!.y + 1), at(title!.y + title!.height - 1)]).toEqual([thread('b'), thread('b')]);
    expect(at(title!.y + title!.height + 1)).not.toEqual(thread('b'));
    expect(at(title!.y - 1)).toBeNull();
  });
});

describe('threads in a window', () => {
  const away = (from: number, to: number) => [...awayFrom(l, { from: EPOCH + from * 1000, to: EPOCH + to * 1000 })];

  it('are those with a run or a finding in it; an open run is in sight up to now', () => {
    expect(away(0, 12)).toEqual([]);
    expect(away(0, 2)).toEqual(['b']);
    expect(away(8.5, 12)).toEqual(['a']);
    expect(away(11.5, 20)).toEqual(['a']);
    expect(away(13, 20)).toEqual(['a', 'b']);
  });

  it('hold their points', () => {
    expect(findTick(l, model.ticks[2]!.row)?.group.thread.key).toBe('b');
    expect(findTick(l, 99)).toBeNull();
  });
});
