/** A folded thread: a strip for each run and every lane at 4 px, as in folded runs and subagents. Folding makes lanes thin, it never takes one away. */
import { boxOf, drawBox, drawEdge, visibleRuns } from './draw-run.ts';
import { visible } from './draw-span.ts';
import { drawMicroTicks } from './draw-ticks.ts';
import { kindToken, line, type Pen } from './pen.ts';
import type { Band, Lane, PlacedRun, PlacedSpan } from './placed.ts';
import { edges } from './scale.ts';
import { STRIP } from './sizes.ts';
import { runToken, statusToken } from './words.ts';

function drawStrip(pen: Pen, run: PlacedRun): void {
  const { a, e, y0, stop } = boxOf(pen, run);
  const { status } = run.view;
  const end = status === 'rejected-by-violation' ? stop : e;
  const tip = status === 'active' && end - a > 10 ? 5 : 0;
  const fill = `${statusToken(status)}-fill`;
  if (tip) pen.out.push({ op: 'poly', points: [a, y0, end - tip, y0, end, y0 + STRIP / 2, end - tip, y0 + STRIP, a, y0 + STRIP], fill });
  else if (end > a) pen.out.push({ op: 'rect', x: a, y: y0, w: end - a, h: STRIP, fill });
  pen.out.push({ op: 'rect', x: a, y: y0, w: 2, h: STRIP, fill: runToken(status) });
  if (status !== 'succeeded' && end - a >= 16)
    pen.out.push({ op: 'icon', name: `status-${status}`, x: Math.max(a, pen.left) + 9, y: y0 + STRIP / 2, size: 9, fill: statusToken(status) });
}

/** A thin bar: full height while events arrive, a line while it is silent or waits, an outline after the stop. */
function drawMicro(pen: Pen, span: PlacedSpan, a: number, b: number): void {
  const y = pen.y + span.lane.y;
  const h = span.lane.height - 1;
  const fill = kindToken(span);
  const alpha = pen.look.faded.has(span.lane.kind) ? { alpha: 0.3 } : {};
  const { origin } = pen.layout;
  const { stop } = span.run;
  const until = stop <= span.start ? a : Math.min(b, Math.max(a, pen.scale.px(stop)));
  if (until > a) {
    const { argsEnd, contentStart, contentEnd, kind } = span.view;
    const full = kind !== 'tool' || argsEnd === null ? until : Math.min(until, Math.max(a + 1, pen.scale.px(argsEnd - origin)));
    const from = kind === 'text' && contentStart !== null ? Math.min(until, pen.scale.px(contentStart - origin)) : a;
    const to =
      kind === 'text' && contentEnd !== null && span.end !== Number.POSITIVE_INFINITY
        ? Math.min(full, Math.max(from + 1, pen.scale.px(contentEnd - origin)))
        : full;
    if (to - from < until - a) pen.out.push({ op: 'rect', x: a, y: y + 1, w: until - a, h: 1, fill, ...alpha });
    pen.out.push({ op: 'rect', x: from, y, w: Math.max(1, to - from), h, fill, ...alpha });
  }
  if (b > until) pen.out.push({ op: 'rect', x: until + 0.5, y: y + 0.5, w: Math.max(1, b - until - 1), h: h - 1, stroke: 'k-run', ...alpha });
}

export function drawMicroLane(pen: Pen, lane: Lane): void {
  let covered = Number.NEGATIVE_INFINITY;
  for (const span of visible(lane.spans, pen.scale)) {
    const { a, b } = edges(pen.scale, span.start, span.end, pen.now);
    if (b <= covered) continue;
    covered = b;
    drawMicro(pen, span, a, b);
  }
}

export function drawFoldedBoxes(pen: Pen, band: Band): void {
  for (const run of visibleRuns(pen, band)) drawBox(pen, run);
}

export function drawFolded(pen: Pen, band: Band): void {
  const runs = visibleRuns(pen, band);
  for (const run of runs) drawStrip(pen, run);
  for (const lane of band.lanes) drawMicroLane(pen, lane);
  for (const state of band.states) drawMicroTicks(pen, state);
  for (const run of runs) {
    const { y0, y1, stop, e } = boxOf(pen, run);
    if (run.view.ending !== 'finished/success') drawEdge(pen, run);
    if (stop < e && !run.view.afterRejection) line(pen, [stop, y0, stop, y1], 'st-rejected', 2);
    if (run.referenceStop !== null) line(pen, [pen.scale.px(run.referenceStop), y0, pen.scale.px(run.referenceStop), y1], 'st-rejected', 1.5, [2, 3]);
  }
}
