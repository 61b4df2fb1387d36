/** Layout → display list: what the window touches, in drawing order. */
import { drawAway } from './draw-away.ts';
import { drawFolded, drawFoldedBoxes, drawMicroLane } from './draw-folded.ts';
import { drawBreaks } from './draw-folds.ts';
import { drawLinks } from './draw-links.ts';
import { drawMarks, drawRelation } from './draw-marks.ts';
import { drawBox, drawEdge, drawNote, drawRunBar, drawWhisker, visibleRuns } from './draw-run.ts';
import { drawLane } from './draw-span.ts';
import { drawMicroTicks, drawTicks } from './draw-ticks.ts';
import { drawOverlays, drawRings } from './overlays.ts';
import { type Look, line, type Pen } from './pen.ts';
import type { Band, Group, Layout } from './placed.ts';
import { ticks, timeScale } from './scale.ts';
import type { Draw, Measure, TimelineModel, Window } from './types.ts';

function findingOfRow(model: TimelineModel, layout: Layout, row: number): number | null {
  for (const [id, { mark }] of layout.markOf) if (mark.view.row === row) return id;
  return model.findings.find((finding) => finding?.row === row)?.id ?? null;
}

function pickedSpan(layout: Layout, look: Look, finding: number | null): number | null {
  if (look.selection.kind === 'span') return look.selection.id;
  if (look.selection.kind !== 'row' || finding !== null) return null;
  for (const { thread } of layout.groups) {
    const span = thread.spanOfRow.get(look.selection.row);
    if (span) return span.view.id;
  }
  return null;
}

function createPen(layout: Layout, model: TimelineModel, window: Window, look: Look, measure: Measure): Pen {
  const { selection, hover } = look;
  const picked = selection.kind === 'finding' ? selection.id : selection.kind === 'row' ? findingOfRow(model, layout, selection.row) : null;
  const hovered = hover?.kind === 'finding' ? hover.id : null;
  const ringed = new Set<number>();
  for (const id of [picked, hovered]) {
    for (const row of (id === null ? undefined : layout.markOf.get(id)?.mark.view.relatedRows) ?? []) {
      for (const { thread } of layout.groups) {
        const span = thread.spanOfRow.get(row);
        if (span?.view.firstRow === row) ringed.add(span.view.id);
      }
    }
  }
  return {
    out: [],
    scale: timeScale(window, layout.origin),
    layout,
    model,
    look,
    measure,
    now: Math.max(0, model.now - layout.origin),
    left: window.gutter,
    right: window.width,
    pickedFinding: picked,
    hoveredFinding: hovered,
    pickedSpan: pickedSpan(layout, look, picked),
    ringed,
    y: 0,
  };
}

/** Groups of the layout that stand in the window, found by their tops. */
export function visibleGroups(layout: Layout, window: Window): readonly Group[] {
  return layout.groups.filter((group) => group.top < window.scroll + window.height && group.top + group.height > window.scroll);
}

function drawBand(pen: Pen, group: Group, band: Band): void {
  if (group.thread.folded) {
    drawFolded(pen, band);
    return;
  }
  const runs = visibleRuns(pen, band);
  for (const run of runs) {
    drawWhisker(pen, run);
    drawRunBar(pen, run);
  }
  for (const lane of band.lanes) lane.micro ? drawMicroLane(pen, lane) : drawLane(pen, lane, group.thread.marksOfSpan);
  for (const state of band.states) state.micro ? drawMicroTicks(pen, state) : drawTicks(pen, state);
  for (const run of runs) drawEdge(pen, run);
  for (const run of runs) drawNote(pen, run);
}

/**
 * Display list of the plot, right of the gutter, in the box of the window (0, 0 is the top left of what is visible).
 * Its length depends on what is in sight, not on the capture.
 */
export function display(layout: Layout, model: TimelineModel, window: Window, look: Look, measure: Measure): Draw[] {
  const pen = createPen(layout, model, window, look, measure);
  const groups = visibleGroups(layout, window);
  const bottom = Math.min(window.height, layout.height - window.scroll);
  pen.out.push({ op: 'rect', x: window.gutter, y: 0, w: window.width - window.gutter, h: window.height, fill: 'surface-sunken' });
  pen.out.push({ op: 'clip', x: window.gutter, y: 0, w: window.width - window.gutter, h: window.height });
  for (const group of groups) {
    pen.y = group.top - window.scroll;
    for (const band of group.away ? [] : group.thread.bands) {
      if (group.thread.folded) drawFoldedBoxes(pen, band);
      else for (const run of visibleRuns(pen, band)) drawBox(pen, run);
    }
  }
  for (const tick of ticks(window, layout.origin, measure).list) {
    const x = pen.scale.px(tick.time) + 0.5;
    line(pen, [x, 0, x, window.height], 'line');
  }
  drawBreaks(pen.out, pen.scale, 0, window.height);
  for (const group of groups) {
    pen.y = group.top - window.scroll;
    if (group.away) drawAway(pen, group);
    else for (const band of group.thread.bands) drawBand(pen, group, band);
    const end = pen.y + group.height - 0.5;
    line(pen, [window.gutter, end, window.width, end], 'line');
  }
  drawLinks(pen);
  drawOverlays(pen, bottom);
  const near = groups.filter((group) => !group.away);
  for (const group of near) {
    pen.y = group.top - window.scroll;
    drawRings(pen, group);
  }
  for (const id of new Set([pen.hoveredFinding, pen.pickedFinding])) {
    const at = id === null ? undefined : layout.markOf.get(id);
    if (at) drawRelation(pen, at.mark.view, layout.groups[at.group]!, at.mark);
  }
  for (const group of near) {
    pen.y = group.top - window.scroll;
    for (const band of group.thread.bands) drawMarks(pen, band, group.thread.folded);
  }
  pen.out.push({ op: 'unclip' });
  return pen.out;
}
