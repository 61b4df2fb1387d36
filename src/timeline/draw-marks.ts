/** Findings on the very bar and instant, merged where they would touch, and the lines to the events they refer to. */
import type { Severity } from '../checker/types.ts';
import type { FindingView } from '../runs/types.ts';
import { curve, line, type Pen } from './pen.ts';
import type { Band, Group, MarkRow, PlacedMark, Scale } from './placed.ts';
import { MERGE } from './sizes.ts';

const RANK: Record<Severity, number> = { violation: 0, deviation: 1, advice: 2 };
const SIZE: Record<Severity, number> = { violation: 15, deviation: 13, advice: 12 };

export interface Cluster {
  /** The gravest, or the one that was asked for. */
  readonly head: PlacedMark;
  readonly marks: readonly PlacedMark[];
  readonly x: number;
}

/** Room that the number beside a merged mark takes to its right, px. */
const BADGE = 30;

/** Marks of a row in the window. Those within 12 px are one, and so is what its number would cover. */
export function clusters(row: MarkRow, scale: Scale, wanted: number | null): Cluster[] {
  const out: Cluster[] = [];
  const [low, high] = [scale.low(BADGE), scale.high(BADGE)];
  const { marks } = row;
  for (let i = 0; i < marks.length; ) {
    let head = marks[i]!;
    let j = i + 1;
    for (; j < marks.length; j++) {
      const reach = j - i > 1 ? scale.x(head.time) + BADGE : scale.x(marks[i]!.time) + MERGE;
      const mark = marks[j]!;
      if (scale.x(mark.time) > reach) break;
      if (head.view.id !== wanted && (mark.view.id === wanted || RANK[mark.view.severity] < RANK[head.view.severity])) head = mark;
    }
    const group = marks.slice(i, j);
    i = j;
    if (group.at(-1)!.time < low || group[0]!.time > high) continue;
    out.push({ head, marks: group, x: Math.round(scale.x(head.time)) });
  }
  return out;
}

const OCTAGON = [-2.25, -5.4, 2.25, -5.4, 5.4, -2.25, 5.4, 2.25, 2.25, 5.4, -2.25, 5.4, -5.4, 2.25, -5.4, -2.25];
const TRIANGLE = [0, -6.4, 6.6, 5.4, -6.6, 5.4];

function drawPick(pen: Pen, severity: Severity, x: number, y: number): void {
  if (severity === 'advice') {
    pen.out.push({ op: 'rect', x: x - 9.5, y: y - 9.5, w: 19, h: 19, r: 9.5, fill: 'surface', stroke: 'accent', width: 2 });
    return;
  }
  const scale = severity === 'violation' ? 1.78 : 1.62;
  const points = (severity === 'violation' ? OCTAGON : TRIANGLE).map((value, i) => (i % 2 ? y : x) + value * scale);
  pen.out.push({ op: 'poly', points, fill: 'surface', stroke: 'accent', width: 2 });
}

function drawCluster(pen: Pen, cluster: Cluster, y: number, folded: boolean): void {
  const { head, marks, x } = cluster;
  const { severity, id } = head.view;
  const size = folded ? 11 : SIZE[severity];
  if (pen.pickedFinding === id) drawPick(pen, severity, x, y);
  else if (pen.hoveredFinding === id) pen.out.push({ op: 'rect', x: x - 9.5, y: y - 9.5, w: 19, h: 19, r: 9.5, fill: 'surface', stroke: 'text-2' });
  pen.out.push({ op: 'icon', name: `finding-${severity}`, x, y, size, fill: `f-${severity}`, halo: 'surface' });
  if (marks.length < 2) return;
  const text = marks.length > 99 ? '99+' : String(marks.length);
  const w = Math.max(14, pen.measure(text, 10, false) + 8);
  pen.out.push({ op: 'rect', x: x + 8.5, y: y - 7, w, h: 14, r: 7, fill: 'surface', stroke: `f-${severity}` });
  pen.out.push({ op: 'text', x: x + 8.5 + w / 2, y: y + 3.6, text, size: 10, fill: 'text', align: 'center' });
}

export function drawMarks(pen: Pen, band: Band, folded: boolean): void {
  for (const row of band.marks) {
    for (const cluster of clusters(row, pen.scale, pen.pickedFinding)) drawCluster(pen, cluster, pen.y + row.y, folded);
  }
}

interface Spot {
  readonly time: number;
  /** px from the top of the layout. */
  readonly y: number;
}

/**
 * Where a row's event stands, at its own time: on the bar it opens or closes, else on the bar of the run that it begins or ends, else,
 * as a delta does, on the finding's `height`. Null for an event that is not there.
 */
function spotOfRow({ layout, model }: Pen, row: number, height: number): Spot | null {
  const at = model.timeOfRow(row);
  if (!(at > 0)) return null;
  for (const { top, away, height: whole, thread } of layout.groups) {
    const lane = thread.spanOfRow.get(row)?.lane;
    const band = lane ? null : [...thread.runs.values()].find(({ view }) => row === view.firstRow || row === view.endedRow)?.band;
    if (!lane && !band) continue;
    const y = lane ? lane.y + lane.height / 2 : band!.top + band!.runBar / 2;
    return { time: thread.timeOfRow.get(row) ?? at - layout.origin, y: top + (away ? whole / 2 : y) };
  }
  return { time: at - layout.origin, y: height };
}

/** Ring and bracket of one finding: from each related event to the mark. Drawn only for the selected or hovered one. */
export function drawRelation(pen: Pen, finding: FindingView, group: Group, mark: PlacedMark): void {
  const { scroll } = pen.scale.window;
  const x = pen.scale.px(mark.time);
  const height = group.top + (group.away ? group.height / 2 : mark.y);
  const y = height - scroll;
  const stroke = `f-${finding.severity}`;
  for (const row of finding.relatedRows) {
    const spot = spotOfRow(pen, row, height);
    if (!spot) continue;
    const [rx, ry] = [pen.scale.px(spot.time), spot.y - scroll];
    const top = y - pen.layout.density.bar / 2 - 2;
    const points = Math.abs(ry - y) < 1 ? [rx, ry, rx, top, x, top, x, y] : curve(rx, ry, x, y);
    line(pen, points, 'surface', 4);
    line(pen, points, stroke, 1.5);
    pen.out.push({ op: 'icon', name: 'related', x: rx, y: ry, size: 12, fill: stroke });
  }
}
