/** The whole capture in one strip: runs, event density, findings, and the window of the timeline as a brush. */
import type { Severity } from '../checker/types.ts';
import type { RunView } from '../runs/types.ts';
import { drawBreaks, labelBreaks } from './draw-folds.ts';
import type { Folds } from './folds.ts';
import { pack } from './pack.ts';
import { clock, ticks, timeScale } from './scale.ts';
import { bounds } from './times.ts';
import type { Draw, Measure, TimelineModel, Window } from './types.ts';
import { widthOf } from './window.ts';
import { runToken } from './words.ts';

export interface Strip {
  readonly width: number;
  readonly height: number;
  readonly gutter: number;
  /** Idle stretches that are folded away, as in the timeline. */
  readonly folds?: Folds | undefined;
}

/** Past so many findings they are ticks instead of icons. */
const DENSE = 40;

/** Time the strip covers, ms since the epoch: the capture and a little air on the right. */
export function stripTimes(model: TimelineModel, folds?: Folds): { readonly from: number; readonly to: number } {
  const { from, to } = bounds(model);
  return { from, to: to + Math.max(1, widthOf({ from, to }, folds) * 0.025) };
}

const windowOf = (model: TimelineModel, strip: Strip): Window => ({ ...stripTimes(model, strip.folds), ...strip, scroll: 0 });

/** Time at an x of the strip and x of a time, both held within the strip; times in ms since the epoch. */
export function stripScale(model: TimelineModel, strip: Strip): { readonly x: (time: number) => number; readonly time: (x: number) => number } {
  const window = windowOf(model, strip);
  const origin = window.from;
  const scale = timeScale(window, origin);
  return {
    x: (time) => Math.min(strip.width, Math.max(strip.gutter, scale.x(time - origin))),
    time: (x) => origin + scale.time(Math.min(strip.width, Math.max(strip.gutter, x))),
  };
}

interface Paper extends Strip {
  readonly out: Draw[];
  /** px of a time, and back, ms since the epoch. */
  readonly x: (time: number) => number;
  readonly time: (x: number) => number;
  readonly base: number;
}

function densityOf(paper: Paper, model: TimelineModel): void {
  if (isLow(paper.height)) return;
  const rows = model.runs.reduce((most, run) => Math.max(most, run ? run.lastRow + 1 : 0), 0);
  const bins = Math.max(1, Math.floor((paper.width - paper.gutter) / 3));
  const counts: number[] = [];
  const firstAfter = (time: number, low: number): number => {
    let [a, b] = [low, rows];
    while (a < b) {
      const mid = (a + b) >> 1;
      if (model.timeOfRow(mid) < time) a = mid + 1;
      else b = mid;
    }
    return a;
  };
  let row = 0;
  for (let i = 0; i < bins && row < rows; i++) {
    const next = firstAfter(paper.time(paper.gutter + ((paper.width - paper.gutter) * (i + 1)) / bins), row);
    counts.push(next - row);
    row = next;
  }
  const peak = Math.max(1, ...counts);
  const room = paper.base - (15 + stripHeight(paper.height)) - 2;
  counts.forEach((count, i) => {
    if (count === 0) return;
    const h = Math.max(1, Math.round((count / peak) * room));
    paper.out.push({ op: 'rect', x: paper.gutter + i * 3, y: paper.base - h, w: 2, h, fill: 'k-run', alpha: 0.55 });
  });
  paper.out.push({ op: 'line', points: [paper.gutter, paper.base + 0.5, paper.width, paper.base + 0.5], stroke: 'line' });
}

/** So low a strip has no room for the density of events. */
const isLow = (height: number): boolean => height < 36;
const stripHeight = (height: number): number => (isLow(height) ? 7 : height >= 54 ? 20 : 13);

function runsOf(paper: Paper, model: TimelineModel): void {
  const items = model.runs.filter(Boolean).map((run) => ({ run, start: run.start, end: paper.time(paper.x(Math.max(run.end ?? model.now, run.start)) + 3) }));
  const rows = pack(items);
  const height = stripHeight(paper.height);
  const lane = Math.max(2, Math.min(9, Math.floor(height / Math.max(1, rows.length))));
  const dense = items.length > 60;
  rows.forEach((row, i) => {
    // more rows than there is height for stand in the last one
    const y = (isLow(paper.height) ? 12 : 15) + Math.min(i * lane, height - lane);
    for (const { run } of row) runMark(paper, run, y, Math.max(2, lane - 2), dense, model.now);
  });
}

function runMark(paper: Paper, run: RunView, y: number, h: number, dense: boolean, now: number): void {
  const a = paper.x(run.start);
  const b = Math.max(a + 2, paper.x(run.end ?? Math.max(now, run.start)));
  const fill = runToken(run.status);
  if (run.rejectedTime !== null && run.status === 'rejected-by-violation') {
    const stop = Math.min(b, Math.max(a + 2, paper.x(run.rejectedTime)));
    paper.out.push({ op: 'rect', x: a, y, w: stop - a, h, fill });
    if (b - stop > 2) paper.out.push({ op: 'rect', x: stop + 0.5, y: y + 0.5, w: b - stop - 1, h: h - 1, stroke: 'k-run' });
  } else if (run.status === 'active' && b - a > 6) {
    paper.out.push({ op: 'poly', points: [a, y, b - 4, y, b, y + h / 2, b - 4, y + h, a, y + h], fill });
  } else if (run.status === 'truncated' && b - a > 8) {
    paper.out.push({ op: 'poly', points: [a, y, b, y, b - 3, y + h / 3, b, y + (h * 2) / 3, b - 3, y + h, a, y + h], fill });
  } else paper.out.push({ op: 'rect', x: a, y, w: b - a, h, fill, ...(dense && run.status === 'succeeded' ? { alpha: 0.42 } : {}) });
}

function findingsOf(paper: Paper, model: TimelineModel): void {
  const findings = model.findings.filter((finding) => finding && Number.isFinite(finding.time));
  const y = paper.base + (isLow(paper.height) ? 4 : 6);
  if (findings.length <= DENSE) {
    // the gravest of those that would cover each other
    const rank = { violation: 0, deviation: 1, advice: 2 };
    const kept: { x: number; severity: Severity }[] = [];
    for (const { severity, time } of [...findings].sort((a, b) => rank[a.severity] - rank[b.severity])) {
      const x = paper.x(time);
      if (!kept.some((one) => Math.abs(one.x - x) < 7)) kept.push({ x, severity });
    }
    for (const { x, severity } of kept) paper.out.push({ op: 'icon', name: `finding-${severity}`, x, y, size: 9, fill: `f-${severity}` });
    return;
  }
  for (const severity of ['deviation', 'violation'] as const) {
    const tall = severity === 'violation';
    const seen = new Set<number>();
    for (const finding of findings) {
      const x = paper.x(finding.time);
      if (finding.severity !== severity || seen.has(x)) continue;
      seen.add(x);
      paper.out.push({ op: 'rect', x: x - 1, y: paper.base + (tall ? 1 : 5), w: 2, h: tall ? 9 : 5, fill: `f-${severity}` });
    }
  }
}

function captionOf(paper: Paper, model: TimelineModel, measure: Measure): void {
  const { gutter, height, out } = paper;
  out.push({ op: 'rect', x: 0, y: 0, w: gutter, h: height, fill: 'surface-sunken' });
  out.push({ op: 'line', points: [gutter - 0.5, 0, gutter - 0.5, height], stroke: 'line-strong' });
  const runs = model.runs.filter(Boolean);
  const events = runs.reduce((sum, run) => sum + run.events, 0);
  const live = runs.some((run) => run.ending === 'open');
  const { from, to } = bounds(model);
  out.push({ op: 'text', x: 10, y: 18, text: 'Capture', size: 11, fill: 'text', bold: true });
  const counts = [`${runs.length} run${runs.length === 1 ? '' : 's'}, ${grouped(events)} events`, `${runs.length} runs`];
  const text = counts.find((words) => measure(words, 10, false) <= gutter - 16);
  if (text && !isLow(height)) out.push({ op: 'text', x: 10, y: 33, text, size: 10, fill: 'text-3' });
  if (height > 50 && runs.length > 0)
    out.push({ op: 'text', x: 10, y: 46, text: `${clock(to - from)} ${live ? 'so far' : 'recorded'}`, size: 10, fill: 'text-3' });
}

const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

/** Display list of the strip without the brush: the same until the model or the size changes. */
export function overview(model: TimelineModel, strip: Strip, measure: Measure): Draw[] {
  const { width, height, gutter } = strip;
  const out: Draw[] = [{ op: 'rect', x: 0, y: 0, w: width, h: height, fill: 'surface-sunken' }];
  const window = windowOf(model, strip);
  const origin = window.from;
  const scale = timeScale(window, origin);
  const paper: Paper = {
    ...strip,
    out,
    base: height - (isLow(height) ? 9 : 12),
    x: (time) => Math.round(scale.x(time - origin)),
    time: (x) => origin + scale.time(x),
  };
  if (model.runs.length > 0) {
    const breaks: Draw[] = [];
    drawBreaks(out, scale, 0, height);
    const taken = labelBreaks(breaks, scale, 11, 10, measure);
    for (const tick of ticks(window, origin, measure).list) {
      const x = paper.x(origin + tick.time);
      const end = x + 6 + measure(tick.label, 10, false);
      out.push({ op: 'line', points: [x + 0.5, 0, x + 0.5, height], stroke: 'line' });
      if (end < width && !taken.some((one) => end > one.x && x + 2 < one.x + one.w))
        out.push({ op: 'text', x: x + 4, y: 10, text: tick.label, size: 10, fill: 'text-3' });
    }
    out.push(...breaks);
    densityOf(paper, model);
    runsOf(paper, model);
    findingsOf(paper, model);
  }
  if (gutter > 0) captionOf(paper, model, measure);
  return out;
}

/** The window of the timeline over the strip: what is outside it is dimmed. */
export function brush(model: TimelineModel, strip: Strip, window: { readonly from: number; readonly to: number }): Draw[] {
  if (model.runs.length === 0 && model.findings.length === 0) return [];
  const { width, height, gutter } = strip;
  const { x } = stripScale(model, strip);
  const a = Math.round(x(window.from));
  const b = Math.max(a + 4, Math.min(width - 1, Math.round(x(window.to))));
  const out: Draw[] = [];
  if (a > gutter) out.push({ op: 'rect', x: gutter, y: 0, w: a - gutter, h: height, fill: 'scrim' });
  if (b < width) out.push({ op: 'rect', x: b, y: 0, w: width - b, h: height, fill: 'scrim' });
  out.push({ op: 'rect', x: a + 0.5, y: 0.5, w: b - a - 1, h: height - 2, stroke: 'accent' });
  for (const edge of [a, b]) out.push({ op: 'rect', x: edge - 3, y: height / 2 - 9, w: 6, h: 18, r: 2, fill: 'accent' });
  return out;
}

/** What of the brush is at x: an edge, the middle, or the strip outside. */
export function brushAt(
  model: TimelineModel,
  strip: Strip,
  window: { readonly from: number; readonly to: number },
  x: number,
): 'from' | 'to' | 'inside' | 'outside' {
  const scale = stripScale(model, strip);
  const [a, b] = [scale.x(window.from), scale.x(window.to)];
  if (Math.abs(x - a) <= 5) return 'from';
  if (Math.abs(x - b) <= 5) return 'to';
  return x > a && x < b ? 'inside' : 'outside';
}
