/** Times of a capture as the timeline needs them: its bounds, and an order for what came at the same instant. */
import type { RunView, SpanView } from '../runs/types.ts';
import type { TimelineModel } from './types.ts';

/** The clock's tick: events of one chunk share an instant and are spread over this, in their order, so that each can be reached by zooming. */
export const TICK = 0.1;

/** First and last instant of a capture, ms since the epoch. An empty capture is one second before now. */
export function bounds(model: TimelineModel): { readonly from: number; readonly to: number } {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const run of model.runs) {
    if (!run) continue;
    from = Math.min(from, run.requestTime ?? run.start, run.start);
    to = Math.max(to, run.end ?? model.now, run.start);
  }
  for (const span of model.spans) if (span) to = Math.max(to, span.end ?? 0, span.resultTime ?? 0, span.start);
  for (const finding of model.findings) if (finding && Number.isFinite(finding.time)) [from, to] = [Math.min(from, finding.time), Math.max(to, finding.time)];
  if (model.runs.length > 0) {
    const first = model.timeOfRow(0);
    if (Number.isFinite(first) && first > 0) from = Math.min(from, first);
  }
  if (!Number.isFinite(from) || !Number.isFinite(to)) return { from: model.now - 1000, to: model.now };
  return { from, to: Math.max(to, from) };
}

/** A span's two ends and a run's, before and after spreading. Mutable on purpose: `spread` fills it. */
export interface Timed<V> {
  readonly view: V;
  start: number;
  end: number;
}

interface Instant {
  readonly time: number;
  readonly row: number;
  /** At one row: ends of earlier things, then starts, then ends of what the row itself began, then the run's end. */
  readonly phase: number;
  readonly set: (time: number) => void;
}

const order = (a: Instant, b: Instant) => a.time - b.time || a.row - b.row || a.phase - b.phase;

function instants(spans: readonly (Timed<SpanView> & { readonly lastRow: number })[], runs: readonly Timed<RunView>[]): Instant[] {
  const all: Instant[] = [];
  for (const item of spans) {
    const { firstRow } = item.view;
    all.push({ time: item.start, row: firstRow, phase: 1, set: (time) => (item.start = time) });
    const phase = item.lastRow > firstRow ? 0 : 2;
    if (Number.isFinite(item.end)) all.push({ time: item.end, row: item.lastRow, phase, set: (time) => (item.end = time) });
  }
  for (const run of runs) {
    all.push({ time: run.start, row: run.view.firstRow, phase: 0.5, set: (time) => (run.start = time) });
    if (Number.isFinite(run.end)) all.push({ time: run.end, row: run.view.endedRow ?? run.view.lastRow, phase: 3, set: (time) => (run.end = time) });
  }
  return all;
}

/**
 * Gives everything that begins or ends at one instant its own time within the clock's tick, in row order, so that no span has length 0
 * and none hides another. Returns the time of each row so moved.
 */
export function spread(spans: readonly (Timed<SpanView> & { readonly lastRow: number })[], runs: readonly Timed<RunView>[]): Map<number, number> {
  const all = instants(spans, runs).sort(order);
  const moved = new Map<number, number>();
  for (let i = 0; i < all.length; ) {
    let j = i + 1;
    while (j < all.length && all[j]!.time === all[i]!.time) j++;
    for (let k = i; j - i > 1 && k < j; k++) {
      const time = all[k]!.time + (TICK * (k - i)) / (j - i);
      all[k]!.set(time);
      if (!moved.has(all[k]!.row) || all[k]!.phase === 1) moved.set(all[k]!.row, time);
    }
    i = j;
  }
  return moved;
}
