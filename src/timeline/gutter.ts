/** The gutter left of the plot, the ruler above it, both of the same scale. */
import { visibleGroups } from './display.ts';
import { awayHeader } from './draw-away.ts';
import { drawBreaks, labelBreaks } from './draw-folds.ts';
import { betweenFolds } from './folds.ts';
import { fitText } from './label.ts';
import type { Look } from './pen.ts';
import type { Band, Group, Layout } from './placed.ts';
import { drawFoot } from './rows.ts';
import { clock, duration, ticks, timeScale } from './scale.ts';
import { RULER } from './sizes.ts';
import type { Draw, LaneKind, Measure, Window } from './types.ts';
import { LANE_WORD, plural } from './words.ts';

function laneRow(out: Draw[], kind: LaneKind, depth: number, y: number, layout: Layout, look: Look, named: boolean): void {
  if (!named) return;
  const x = layout.narrow ? 14 : 28 + Math.min(depth, 4) * 14;
  const alpha = look.faded.has(kind) ? { alpha: 0.4 } : {};
  out.push({ op: 'icon', name: `kind-${kind}`, x, y, size: layout.narrow && depth ? 9 : 11, ...alpha });
  if (!layout.narrow) out.push({ op: 'text', x: x + 11, y: y + 4, text: LANE_WORD[kind], size: 11, fill: 'text-2', ...alpha });
}

function bandRows(out: Draw[], band: Band, y: number, layout: Layout, look: Look): void {
  for (const lane of band.lanes) laneRow(out, lane.kind, lane.depth, y + lane.y + lane.height / 2, layout, look, lane.named);
  for (const state of band.states) laneRow(out, 'state', 0, y + state.y + state.height / 2, layout, look, !state.micro);
}

/** Header of a thread: fold sign, name and number of runs, and below its path or, when folded, what went wrong. */
function header(out: Draw[], group: Group, y: number, window: Window, layout: Layout, measure: Measure): void {
  const { thread } = group;
  const band = thread.bands[0];
  if (!band || layout.narrow) return;
  const middle = thread.folded ? y + 11 : y + band.top + band.runBar / 2;
  const { gutter } = window;
  out.push({ op: 'icon', name: thread.folded ? 'chevron-folded' : 'chevron-open', x: 14, y: middle, size: 12, fill: 'text-3' });
  const runs = plural(thread.counts.runs, 'run');
  const room = gutter - 10 - measure(runs, 11, false) - 8 - 22;
  const label = fitText(thread.label, room * 0.96, 11, measure, 3);
  if (label) out.push({ op: 'text', x: 22, y: middle + 4, text: label, size: 11, fill: 'text', bold: true });
  out.push({ op: 'text', x: gutter - 10, y: middle + 4, text: runs, size: 11, fill: 'text-3', align: 'right' });
  if (!thread.folded) {
    const where = fitText(thread.where, gutter - 32, 10, measure);
    if (where) out.push({ op: 'text', x: 22, y: y + band.note, text: where, size: 10, fill: 'text-3' });
    return;
  }
  let x = 27;
  const tally = [['rejected-by-violation', thread.counts.rejected, 'st-rejected'] as const, ['failed-by-report', thread.counts.failed, 'st-failed'] as const];
  for (const [status, count, fill] of tally) {
    if (count === 0) continue;
    out.push({ op: 'icon', name: `status-${status}`, x, y: middle + 13, size: 10, fill });
    out.push({ op: 'text', x: x + 8, y: middle + 17, text: String(count), size: 10, fill: 'text-3' });
    x += 20 + measure(String(count), 10, false);
  }
}

/** In a narrow dock the thread's name takes a row of its own over the whole width. */
function title(out: Draw[], group: Group, y: number, window: Window, measure: Measure): void {
  const { thread } = group;
  if (!thread.title) return;
  const top = y + thread.title.y;
  const middle = top + thread.title.height / 2;
  out.push({ op: 'rect', x: 0, y: top, w: window.width, h: thread.title.height, fill: 'surface-sunken' });
  out.push({ op: 'icon', name: thread.folded ? 'chevron-folded' : 'chevron-open', x: 12, y: middle, size: 12, fill: 'text-3' });
  const label = fitText(thread.label, window.width * 0.6, 11, measure, 3);
  out.push({ op: 'text', x: 20, y: middle + 4, text: label, size: 11, fill: 'text', bold: true });
  const start = 20 + measure(label, 11, true) + 8;
  const rest = fitText(`${plural(thread.counts.runs, 'run')}, ${thread.where}`, window.width - start - 8, 11, measure);
  if (rest) out.push({ op: 'text', x: start, y: middle + 4, text: rest, size: 11, fill: 'text-3' });
}

/** Display list of the gutter, in the same box as the plot. */
export function gutter(layout: Layout, window: Window, look: Look, measure: Measure): Draw[] {
  const out: Draw[] = [{ op: 'rect', x: 0, y: 0, w: window.gutter, h: window.height, fill: 'surface-sunken' }];
  const edge = window.gutter - 0.5;
  for (const group of visibleGroups(layout, window)) {
    const y = group.top - window.scroll;
    title(out, group, y, window, measure);
    if (group.away) awayHeader(out, group, y, window, layout, measure);
    else header(out, group, y, window, layout, measure);
    if (!group.thread.folded && !group.away) for (const band of group.thread.bands) bandRows(out, band, y, layout, look);
    const end = y + group.height - 0.5;
    out.push({ op: 'line', points: [0, end, window.gutter, end], stroke: 'line' });
  }
  drawFoot(out, layout, window);
  out.push({ op: 'line', points: [edge, 0, edge, window.height], stroke: 'line-strong' });
  return out;
}

const FLAG = 10;

interface Plate {
  readonly x: number;
  readonly w: number;
}

function plateAt(p: number, label: string, bold: boolean, window: Window, measure: Measure): Plate {
  const w = measure(label, FLAG, bold) + 12;
  return { x: Math.min(Math.max(p - w / 2, window.gutter), window.width - w - 2), w };
}

/** How far the pointer is from the moment: ` +2.70 s`. */
function sinceMoment({ cursor, moment }: Look): string {
  if (cursor === null || moment === null) return '';
  return ` ${cursor < moment ? '−' : '+'}${duration(Math.abs(cursor - moment))}`;
}

const digitsFor = (msPerPx: number): number => (msPerPx >= 100 ? 1 : msPerPx >= 0.5 ? 3 : msPerPx >= 0.05 ? 4 : 5);

/** Display list of the ruler, 20 px high: ticks and labels, the flag of the moment, the time under the pointer, the present. */
export function ruler(layout: Layout, window: Window, look: Look, measure: Measure): Draw[] {
  const scale = timeScale(window, layout.origin);
  const out: Draw[] = [{ op: 'rect', x: 0, y: 0, w: window.width, h: RULER, fill: 'surface-sunken' }];
  out.push({ op: 'clip', x: window.gutter, y: 0, w: window.width - window.gutter, h: RULER });
  const plates: (Plate & { p: number; label: string; kind: 'moment' | 'cursor' })[] = [];
  const inside = (time: number) => time >= scale.from && time <= scale.to;
  for (const kind of ['cursor', 'moment'] as const) {
    const at = look[kind];
    if (at === null || !inside(at - layout.origin) || (kind === 'cursor' && look.measured)) continue;
    const p = scale.px(at - layout.origin);
    const digits = digitsFor(scale.msPerPx);
    const label = kind === 'moment' ? clock(at - layout.origin, Math.max(3, digits)) : clock(at - layout.origin, digits) + sinceMoment(look);
    plates.push({ ...plateAt(p, label, kind === 'moment', window, measure), p, label, kind });
  }
  const active = layout.groups.some((group) => group.thread.bands.some((band) => band.runs.at(-1)?.view.ending === 'open'));
  const now = active && inside(layout.now) ? scale.px(layout.now) : null;
  const taken: Plate[] = [...plates, ...(now === null ? [] : [{ x: now - 29, w: 30 }])];
  drawBreaks(out, scale, 0, RULER);
  const breaks: Draw[] = [];
  taken.push(...labelBreaks(breaks, scale, 14, FLAG, measure));
  axis(out, window, layout, measure, taken);
  out.push(...breaks);
  if (now !== null) {
    out.push({ op: 'text', x: now - 4, y: 13, text: 'now', size: FLAG, fill: 'accent', bold: true, align: 'right' });
    out.push({ op: 'line', points: [now + 0.5, 2, now + 0.5, RULER], stroke: 'accent', dash: [2, 3] });
  }
  for (const plate of plates) drawPlate(out, plate);
  if (look.measured)
    drawMeasured(out, scale.px(look.measured.from - layout.origin), scale.px(look.measured.to - layout.origin), look.measured, window, measure);
  out.push({ op: 'unclip' });
  corner(out, window, measure);
  return out;
}

function axis(out: Draw[], window: Window, layout: Layout, measure: Measure, taken: readonly Plate[]): void {
  const scale = timeScale(window, layout.origin);
  const { step, list } = ticks(window, layout.origin, measure);
  const parts = 5;
  for (const { from, to } of betweenFolds(scale.folds, scale.from, scale.to)) {
    const first = Math.ceil((from / step) * parts - 1e-9);
    const last = Math.min(Math.floor((to / step) * parts + 1e-9), first + 2000);
    for (let k = first; k <= last; k++) {
      const x = scale.px((k / parts) * step) + 0.5;
      if (x > window.gutter) out.push({ op: 'line', points: [x, k % parts ? 17 : 13, x, RULER], stroke: 'line-strong' });
    }
  }
  for (const tick of list) {
    const x = scale.px(tick.time) + 4;
    const end = x + measure(tick.label, FLAG, false);
    if (x < window.gutter + 4 || end > window.width - 2 || taken.some((plate) => end + 4 > plate.x && x - 4 < plate.x + plate.w)) continue;
    out.push({ op: 'text', x, y: 13, text: tick.label, size: FLAG, fill: 'text-3' });
  }
}

function drawPlate(out: Draw[], plate: Plate & { p: number; label: string; kind: 'moment' | 'cursor' }): void {
  const { x, w, p, label, kind } = plate;
  const moment = kind === 'moment';
  if (moment) {
    out.push({ op: 'rect', x, y: 2, w, h: 15, r: 3, fill: 'accent' });
    out.push({ op: 'poly', points: [p - 4, 17, p + 4, 17, p, 20], fill: 'accent' });
  } else out.push({ op: 'rect', x: x + 0.5, y: 2.5, w: w - 1, h: 14, r: 3, fill: 'surface', stroke: 'line-strong' });
  out.push({
    op: 'text',
    x: x + w / 2,
    y: 13,
    text: label,
    size: FLAG,
    fill: moment ? 'on-accent' : 'text-2',
    align: 'center',
    ...(moment ? { bold: true } : {}),
  });
}

/** The measured stretch and its length. */
function drawMeasured(out: Draw[], from: number, to: number, times: { readonly from: number; readonly to: number }, window: Window, measure: Measure): void {
  const [a, b] = from < to ? [from, to] : [to, from];
  const label = duration(Math.abs(times.to - times.from));
  const { x, w } = plateAt((Math.max(a, window.gutter) + Math.min(b, window.width)) / 2, label, true, window, measure);
  out.push({ op: 'rect', x: a, y: 2, w: b - a, h: 16, fill: 'accent-fill' });
  for (const edge of [a, b]) out.push({ op: 'line', points: [edge + 0.5, 2, edge + 0.5, RULER], stroke: 'accent' });
  if (w > b - a) out.push({ op: 'rect', x, y: 2, w, h: 16, r: 3, fill: 'accent-fill' });
  out.push({ op: 'text', x: x + w / 2, y: 13, text: label, size: FLAG, fill: 'accent', bold: true, align: 'center' });
}

function corner(out: Draw[], window: Window, measure: Measure): void {
  out.push({ op: 'rect', x: 0, y: 0, w: window.gutter, h: RULER, fill: 'surface-sunken' });
  const text = `${duration(window.to - window.from)} shown`;
  if (measure(text, FLAG, false) < window.gutter - 16) out.push({ op: 'text', x: 10, y: 14, text, size: FLAG, fill: 'text-3' });
  out.push({ op: 'line', points: [window.gutter - 0.5, 0, window.gutter - 0.5, RULER], stroke: 'line-strong' });
  out.push({ op: 'line', points: [0, RULER - 0.5, window.width, RULER - 0.5], stroke: 'line' });
}
