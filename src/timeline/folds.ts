/**
 * Idle stretches folded away. The axis is then no longer time itself but time with each idle stretch shortened: a fold keeps a little
 * of its length, so that every time still has one place and every place one time. All times are ms since the layout's origin.
 */
import { lowerBound } from './pack.ts';
import type { Layout } from './placed.ts';

export interface Fold {
  readonly from: number;
  readonly to: number;
  /** Where it begins on the axis, and what is left of it there, ms. */
  readonly axis: number;
  readonly kept: number;
}

export interface Folds {
  /** ms since the epoch. */
  readonly origin: number;
  /** Ascending, none touches another. */
  readonly list: readonly Fold[];
}

export const UNFOLDED: Folds = { origin: 0, list: [] };

/** Shorter idle stretches stay as they are, ms. */
const LEAST = 1000;
/** A fold keeps at most this share of the time in which something ran, and all of them together at most that. */
const SHARE = 0.02;
const ALL = 0.25;

/** Place of a time on the axis. */
export function toAxis({ list }: Folds, time: number): number {
  const i = lowerBound(list, time, (fold) => fold.to);
  const fold = list[i];
  if (fold && time > fold.from) return fold.axis + ((time - fold.from) / (fold.to - fold.from)) * fold.kept;
  const last = list[i - 1];
  return last ? time - last.to + last.axis + last.kept : time;
}

/** Time of a place on the axis. */
export function fromAxis({ list }: Folds, place: number): number {
  const i = lowerBound(list, place, (fold) => fold.axis + fold.kept);
  const fold = list[i];
  if (fold && place > fold.axis) return fold.from + ((place - fold.axis) / fold.kept) * (fold.to - fold.from);
  const last = list[i - 1];
  return last ? place - last.axis - last.kept + last.to : place;
}

/** The largest 1, 2 or 5 times a power of ten that is not above a length: it changes seldom as a capture grows. */
function round(ms: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(ms, 1)));
  return unit * (ms >= 5 * unit ? 5 : ms >= 2 * unit ? 2 : 1);
}

/** From when to when anything of the layout ran or happened, joined, ascending. */
function busyOf(layout: Layout): { from: number; to: number }[] {
  const all: { from: number; to: number }[] = [];
  const close = (end: number, start: number) => (end === Number.POSITIVE_INFINITY ? Math.max(start, layout.now) : end);
  for (const { thread } of layout.groups) {
    for (const run of thread.runs.values()) all.push({ from: Math.min(run.request ?? run.start, run.start), to: close(run.close, run.start) });
    for (const span of thread.spans.values()) if (span.end > span.run.close) all.push({ from: span.start, to: close(span.end, span.start) });
    for (const { marks, states } of thread.bands) {
      for (const row of marks) for (const { time } of row.marks) all.push({ from: time, to: time });
      for (const { time } of states.flatMap((state) => state.ticks)) all.push({ from: time, to: time });
    }
  }
  all.sort((a, b) => a.from - b.from);
  const busy: { from: number; to: number }[] = [];
  for (const one of all) {
    const last = busy.at(-1);
    if (last && one.from <= last.to) last.to = Math.max(last.to, one.to);
    else busy.push({ ...one });
  }
  return busy;
}

/** Folds of every stretch in which no run was under way. The same object as `before` when nothing has changed. */
export function foldsOf(layout: Layout, before: Folds = UNFOLDED): Folds {
  const busy = busyOf(layout);
  const long = busy.slice(1).flatMap(({ from }, i) => (from - busy[i]!.to >= LEAST ? [{ from: busy[i]!.to, to: from }] : []));
  const worked = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const kept = round(Math.min(worked * SHARE, (worked * ALL) / Math.max(1, long.length)));
  const list: Fold[] = [];
  let cut = 0;
  for (const { from, to } of long) {
    if (to - from < kept * 3) continue;
    list.push({ from, to, axis: from - cut, kept });
    cut += to - from - kept;
  }
  const same = before.origin === layout.origin && before.list.length === list.length && list.every((fold, i) => sameFold(fold, before.list[i]!));
  return same ? before : { origin: layout.origin, list };
}

const sameFold = (a: Fold, b: Fold): boolean => a.from === b.from && a.to === b.to && a.axis === b.axis && a.kept === b.kept;

/** What lies between the folds from one time to another: there the axis is time. */
export function betweenFolds({ list }: Folds, from: number, to: number): { readonly from: number; readonly to: number }[] {
  const out: { from: number; to: number }[] = [];
  let start = from;
  for (let i = lowerBound(list, from, (fold) => fold.to); i < list.length && list[i]!.from < to; i++) {
    if (list[i]!.from > start) out.push({ from: start, to: list[i]!.from });
    start = list[i]!.to;
  }
  if (start < to) out.push({ from: start, to });
  return out;
}

/** Folds that touch a stretch of time. */
export function foldsIn({ list }: Folds, from: number, to: number): readonly Fold[] {
  const first = lowerBound(list, from, (fold) => fold.to);
  let past = first;
  while (past < list.length && list[past]!.from < to) past++;
  return list.slice(first, past);
}
