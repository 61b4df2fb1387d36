/** What is under a point: findings before ticks before spans before runs. */
import { visibleGroups } from './display.ts';
import { linkUnder } from './draw-links.ts';
import { clusters } from './draw-marks.ts';
import { type Foldable, foldableOf } from './foldable.ts';
import { lowerBound } from './pack.ts';
import type { Band, Group, Lane, Layout, PlacedRun, PlacedSpan, Scale, StateLane } from './placed.ts';
import { wholeRows } from './rows.ts';
import { timeScale } from './scale.ts';
import { LEAST } from './sizes.ts';
import { onTwisty, twistyOfRun, twistyOfSpan } from './twisty.ts';
import type { Target, Window } from './types.ts';

/** How far from its centre a mark can be caught, px. */
const MARK = 8;
const TICK = 4;

interface Point {
  readonly x: number;
  /** px from the top of the thread. */
  readonly y: number;
  readonly time: number;
  readonly scale: Scale;
}

function findingsUnder(band: Band, point: Point): number[] {
  let best: { distance: number; ids: number[] } | null = null;
  for (const row of band.marks) {
    const dy = Math.abs(row.y - point.y);
    if (dy > MARK) continue;
    for (const cluster of clusters(row, point.scale, null)) {
      const dx = point.x - cluster.x;
      const inBadge = cluster.marks.length > 1 && dx > 0 && dx <= 23;
      if (Math.abs(dx) > MARK && !inBadge) continue;
      const distance = Math.abs(dx) + dy;
      const ids = [cluster.head, ...cluster.marks.filter((mark) => mark !== cluster.head)].map((mark) => mark.view.id);
      if (!best || distance < best.distance) best = { distance, ids };
    }
  }
  return best?.ids ?? [];
}

function tickUnder(state: StateLane, point: Point): Target | null {
  if (point.y < state.y || point.y >= state.y + state.height) return null;
  const [low, high] = [point.scale.time(point.x - TICK), point.scale.time(point.x + TICK)];
  let best: { distance: number; row: number } | null = null;
  for (let i = lowerBound(state.ticks, low, (tick) => tick.time); i < state.ticks.length; i++) {
    const tick = state.ticks[i]!;
    if (tick.time > high) break;
    const distance = Math.abs(point.scale.x(tick.time) - point.x);
    if (!best || distance < best.distance) best = { distance, row: tick.view.row };
  }
  return best && { kind: 'tick', row: best.row };
}

/** The span whose time covers the point, else one that is drawn over it because nothing is narrower than 3 px. */
function spanAt(spans: readonly PlacedSpan[], point: Point, now: number): PlacedSpan | null {
  const i = lowerBound(spans, point.time, (span) => span.end);
  const here = spans[i];
  const ends = (span: PlacedSpan) => (span.end === Number.POSITIVE_INFINITY ? Math.max(now, span.start) : span.end);
  if (here && here.start <= point.time && ends(here) >= point.time) return here;
  const { scale } = point;
  const near = [spans[i - 1], here, spans[i + 1]].filter((span): span is PlacedSpan => {
    if (!span) return false;
    const a = scale.x(span.start) - 1;
    return point.x >= a && point.x <= Math.max(scale.x(ends(span)), a + LEAST) + 1;
  });
  const distance = (span: PlacedSpan) => Math.abs((span.start + ends(span)) / 2 - point.time);
  return near.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

function spanUnder(lanes: readonly Lane[], point: Point, layout: Layout): Target | null {
  // thin lanes of what is folded lie beside the full ones of what is open
  for (const lane of lanes) {
    if (point.y < lane.y || point.y >= lane.y + lane.height) continue;
    // the upper third of a reasoning span's bar is the span's own, the rest its messages'
    const inner = point.y >= lane.y + lane.height * 0.42 ? spanAt(lane.inner, point, layout.now) : null;
    const span = inner ?? spanAt(lane.spans, point, layout.now);
    if (span) return { kind: 'span', id: span.view.id };
  }
  return null;
}

function runUnder(band: Band, point: Point, folded: boolean, layout: Layout): Target | null {
  const { runBar, note } = layout.density;
  const { scale } = point;
  const over = (run: PlacedRun) => {
    const a = scale.x(run.start) - 1;
    const end = run.close === Number.POSITIVE_INFINITY ? Math.max(layout.now, run.start) : run.close;
    const b = Math.max(scale.x(end), a + LEAST) + 2;
    if (point.x < a || point.x > b) return false;
    if (point.y < band.top || point.y > run.bottom) return false;
    return folded || run.folded || point.y < band.top + runBar + note || point.x > b - 5;
  };
  const run = band.runs.findLast(over);
  return run ? { kind: 'run', id: run.view.id } : null;
}

/** Of a thread that is away only strips of its runs are seen. */
function stripUnder({ thread }: Group, { x, scale }: Point, layout: Layout): Target | null {
  const end = (run: PlacedRun) => (run.close === Number.POSITIVE_INFINITY ? Math.max(layout.now, run.start) : run.close);
  const run = [...thread.runs.values()].find((one) => x >= scale.x(one.start) - 1 && x <= Math.max(scale.x(end(one)), scale.x(one.start) + LEAST) + 1);
  return run ? { kind: 'run', id: run.view.id } : null;
}

function groupAt(layout: Layout, window: Window, y: number): Group | null {
  return visibleGroups(layout, window).find((group) => y >= group.top && y < group.top + group.height) ?? null;
}

function pointIn(layout: Layout, window: Window, group: Group, x: number, y: number): Point {
  const scale = timeScale(window, layout.origin);
  return { x, y: y + window.scroll - group.top, time: scale.time(x), scale };
}

/**
 * The thing at a point of the timeline's box (px from the top left of what is visible), or null.
 * Findings come before ticks, spans and runs; in the gutter and on a narrow dock's titles it is the thread.
 */
export function hitTest(layout: Layout, window: Window, x: number, y: number): Target | null {
  const group = y < wholeRows(layout, window) ? groupAt(layout, window, y + window.scroll) : null;
  if (!group) return null;
  const { thread } = group;
  const point = pointIn(layout, window, group, x, y);
  if (thread.title && point.y >= thread.title.y && point.y < thread.title.y + thread.title.height) return { kind: 'thread', key: thread.key };
  if (x < window.gutter) return { kind: 'thread', key: thread.key };
  if (group.away) return stripUnder(group, point, layout);
  for (const band of thread.bands) {
    const [id] = findingsUnder(band, point);
    if (id !== undefined) return { kind: 'finding', id };
  }
  for (const band of thread.bands) {
    const tick = band.states.map((state) => tickUnder(state, point)).find((found) => found !== null);
    const target = tick ?? spanUnder(band.lanes, point, layout) ?? runUnder(band, point, thread.folded, layout);
    if (target) return target;
  }
  const linked = linkUnder(layout, point.scale, x, y);
  return linked === null ? null : { kind: 'run', id: linked };
}

/** All findings of the mark at a point, the gravest first: those that merged with it can be walked through. */
export function findingsAt(layout: Layout, window: Window, x: number, y: number): readonly number[] {
  const group = groupAt(layout, window, y + window.scroll);
  if (!group || group.away || x < window.gutter) return [];
  const point = pointIn(layout, window, group, x, y);
  return group.thread.bands.map((band) => findingsUnder(band, point)).find((ids) => ids.length > 0) ?? [];
}

/** The run or subagent whose sign for folding is at a point, with the key it is folded under; null where there is none. */
export function foldAt(layout: Layout, window: Window, x: number, y: number): Foldable | null {
  const group = x < window.gutter || y >= wholeRows(layout, window) ? null : groupAt(layout, window, y + window.scroll);
  if (!group || group.away || group.thread.folded) return null;
  const point = pointIn(layout, window, group, x, y);
  for (const band of group.thread.bands) {
    const run = band.runs.find((one) => onTwisty(x, twistyOfRun(point.scale, one, layout.now)));
    if (run && point.y >= band.top && point.y < band.top + band.runBar) return foldableOf(layout, { kind: 'run', id: run.view.id });
    const lane = band.lanes.find((one) => one.kind === 'subagent' && point.y >= one.y && point.y < one.y + one.height);
    const span = lane?.spans.find((one) => onTwisty(x, twistyOfSpan(point.scale, one, layout.now)));
    if (span) return foldableOf(layout, { kind: 'span', id: span.view.id });
  }
  return null;
}
