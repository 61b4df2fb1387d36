/** What lies over the bars: selection, focus and pointer rings, the moment, the present, the measured stretch. */
import { boxOf } from './draw-run.ts';
import { barOf } from './draw-span.ts';
import { line, type Pen } from './pen.ts';
import type { Group, PlacedRun, PlacedSpan } from './placed.ts';
import type { Target } from './types.ts';

type Ring = 'selected' | 'focus' | 'hover';

function ring(pen: Pen, x: number, y: number, w: number, h: number, kind: Ring): void {
  // held within reach of the plot, so that the ring of a long bar closes where one can see it
  const left = Math.max(x, pen.left - 8);
  const width = Math.min(x + w, pen.right + 8) - left;
  if (kind === 'hover') pen.out.push({ op: 'rect', x: left - 1.5, y: y - 1.5, w: width + 3, h: h + 3, r: 4, stroke: 'text-2' });
  else if (kind === 'focus') pen.out.push({ op: 'rect', x: left - 3, y: y - 3, w: width + 6, h: h + 6, r: 5, stroke: 'focus', width: 2, dash: [3, 2] });
  else pen.out.push({ op: 'rect', x: left - 2, y: y - 2, w: width + 4, h: h + 4, r: 4, stroke: 'accent', width: 2 });
}

function ringSpan(pen: Pen, span: PlacedSpan, kind: Ring): void {
  const folded = span.lane.micro;
  const bar = barOf(pen, span);
  const y = folded ? pen.y + span.lane.y : bar.y;
  const h = folded ? span.lane.height - 1 : bar.h;
  // a reasoning message has the lower part of its reasoning span's bar
  if (span.host && !folded) ring(pen, bar.a, y + 5, bar.b - bar.a, h - 5, kind);
  else ring(pen, bar.a, y, bar.b - bar.a, h, kind);
}

function ringRun(pen: Pen, run: PlacedRun, kind: Ring, folded: boolean): void {
  const { a, e, y0, y1 } = boxOf(pen, run);
  const whole = folded || kind === 'hover';
  ring(pen, a, y0, e - a, whole ? y1 - y0 : run.band.runBar, kind);
}

function ringTarget(pen: Pen, group: Group, target: Target, kind: Ring): void {
  const { thread } = group;
  if (target.kind === 'span') {
    const span = thread.spans.get(target.id);
    if (span) ringSpan(pen, span, kind);
  } else if (target.kind === 'run') {
    const run = thread.runs.get(target.id);
    if (run) ringRun(pen, run, kind, thread.folded);
  } else if (target.kind === 'tick') {
    for (const state of thread.bands.flatMap((band) => band.states)) {
      const tick = state.ticks.find((one) => one.view.row === target.row);
      if (tick) ring(pen, pen.scale.px(tick.time) - 5, pen.y + state.y + 1, 10, state.height - 2, kind);
    }
  } else if (target.kind === 'finding' && kind === 'focus') {
    const at = pen.layout.markOf.get(target.id);
    if (at && pen.layout.groups[at.group] === group) ring(pen, pen.scale.px(at.mark.time) - 8, pen.y + at.mark.y - 8, 16, 16, kind);
  }
}

/** Rings around what is hovered, selected and focused in one thread. */
export function drawRings(pen: Pen, group: Group): void {
  const { selection, hover, focus } = pen.look;
  if (hover) ringTarget(pen, group, hover, 'hover');
  if (pen.pickedSpan !== null) ringTarget(pen, group, { kind: 'span', id: pen.pickedSpan }, 'selected');
  else if (selection.kind === 'run' || selection.kind === 'tick') ringTarget(pen, group, selection, 'selected');
  else if (selection.kind === 'row' && pen.pickedFinding === null) ringTarget(pen, group, { kind: 'tick', row: selection.row }, 'selected');
  if (selection.kind === 'connection')
    for (const run of group.thread.runs.values()) if (run.view.conn === selection.id) ringRun(pen, run, 'selected', group.thread.folded);
  if (focus) ringTarget(pen, group, focus, 'focus');
}

/** Lines through all threads: the present, the moment, the pointer, the stretch being measured. */
export function drawOverlays(pen: Pen, bottom: number): void {
  const { scale, layout, look } = pen;
  const { height } = scale.window;
  const at = (time: number) => scale.px(time - layout.origin);
  const seen = (x: number) => x >= pen.left && x <= pen.right;
  const active = layout.groups.some((group) => group.thread.bands.some((band) => band.runs.at(-1)?.view.ending === 'open'));
  const now = scale.px(pen.now);
  if (active && seen(now)) line(pen, [now + 0.5, 0, now + 0.5, bottom], 'accent', 1, [2, 3]);
  if (look.moment !== null && seen(at(look.moment))) {
    const x = at(look.moment);
    pen.out.push({ op: 'line', points: [x, 0, x, height], stroke: 'accent', width: 1, alpha: 0.55 });
  }
  if (look.cursor !== null && look.measured === null && seen(at(look.cursor))) {
    const x = at(look.cursor) + 0.5;
    pen.out.push({ op: 'line', points: [x, 0, x, height], stroke: 'text-3', width: 1, alpha: 0.35 });
  }
  if (look.measured) drawMeasured(pen, at(look.measured.from), at(look.measured.to));
}

/** The length stands on the ruler, where it covers nothing. */
function drawMeasured(pen: Pen, from: number, to: number): void {
  const { height } = pen.scale.window;
  const [a, b] = from < to ? [from, to] : [to, from];
  pen.out.push({ op: 'rect', x: a, y: 0, w: b - a, h: height, fill: 'accent', alpha: 0.1 });
  for (const x of [a, b]) line(pen, [x + 0.5, 0, x + 0.5, height], 'accent');
}
