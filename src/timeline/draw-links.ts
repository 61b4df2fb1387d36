/** Lines from run to run: what an interrupted run waits for and who answered, and the run that another one names as its parent. */
import { drawnEnd } from './draw-run.ts';
import { firstFit } from './label.ts';
import type { Link } from './links.ts';
import { curve, type Pen } from './pen.ts';
import type { PlacedRun, Scale } from './placed.ts';
import { duration } from './scale.ts';

/** An unanswered wait in a capture that has gone on for long is told with so many px. */
const STUB = 44;

export interface LinkShape {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

const requested = (run: PlacedRun): number => Math.min(run.request ?? run.start, run.start);

/** Where a link runs, px in the box of the window. */
export function shapeOf(link: Link, layout: Pen['layout'], scale: Scale): LinkShape {
  const at = (index: number, run: PlacedRun, share: number) => {
    const group = layout.groups[index]!;
    const { scroll } = scale.window;
    return group.top - scroll + (group.away ? group.height / 2 : run.band.top + run.band.runBar * share);
  };
  const share = link.kind === 'wait' ? 0.5 : 0.22;
  const ay = at(link.fromGroup, link.from, share);
  const by = link.to === null ? ay : at(link.toGroup, link.to, share);
  const ax = scale.px(drawnEnd(link.from, layout.now)) + (link.kind === 'wait' ? 5 : 0);
  if (link.to === null) {
    const next = link.from.next;
    const limit = next ? scale.px(requested(next)) - 6 : scale.window.width;
    return { ax, ay, bx: Math.min(limit, Math.max(ax + STUB, Math.min(scale.px(layout.now), ax + STUB * 3))), by };
  }
  const bx = scale.px(link.kind === 'wait' ? requested(link.to) : link.to.start);
  return { ax, ay, bx, by };
}

const inSight = ({ ax, ay, bx, by }: LinkShape, { window }: Scale): boolean =>
  Math.max(ax, bx) >= window.gutter && Math.min(ax, bx) <= window.width && Math.max(ay, by) >= 0 && Math.min(ay, by) <= window.height;

function arrow(pen: Pen, x: number, y: number, fill: string): void {
  pen.out.push({ op: 'poly', points: [x - 6, y - 3.5, x, y, x - 6, y + 3.5], fill });
}

/** Words on a wait, longest first. */
function wordsOf(link: Link): string[] {
  if (link.to === null) return ['not answered', 'open'];
  const length = duration(requested(link.to) - link.from.end);
  return link.cancelled ? [`given up after ${length}`, 'given up'] : [`answered after ${length}`, `after ${length}`, length];
}

function drawWait(pen: Pen, link: Link, shape: LinkShape): void {
  const { ax, ay, bx, by } = shape;
  const stroke = 'st-interrupted';
  const level = Math.abs(ay - by) < 1;
  const points = level ? [ax, ay, bx - (link.to ? 5 : 0), by] : curve(ax, ay, bx, by);
  pen.out.push({ op: 'line', points, stroke, width: 1.5, dash: link.to === null ? [2, 4] : [5, 3] });
  if (link.to !== null) arrow(pen, bx, by, stroke);
  const { small } = pen.layout.density;
  const [from, to] = [Math.max(ax, pen.left) + 6, Math.min(bx, pen.right) - 10];
  const text = level ? firstFit(wordsOf(link), to - from, small, pen.measure) : '';
  if (text) pen.out.push({ op: 'text', x: (from + to) / 2, y: ay - 4, text, size: small, fill: stroke, align: 'center', halo: 'surface-sunken' });
}

function drawParent(pen: Pen, { ax, ay, bx, by }: LinkShape, lit: boolean): void {
  const stroke = lit ? 'text-2' : 'k-run';
  const points = Math.abs(ay - by) < 1 && bx > ax ? [ax, ay, bx - 4, by] : curve(ax, ay, bx, by);
  pen.out.push({ op: 'line', points, stroke, width: lit ? 1.5 : 1 });
  pen.out.push({ op: 'rect', x: ax - 2.5, y: ay - 2.5, w: 5, h: 5, r: 2.5, fill: stroke });
  arrow(pen, bx, by, stroke);
}

const isOn = (run: PlacedRun | null, target: { readonly kind: string } | null): boolean =>
  run !== null && target?.kind === 'run' && 'id' in target && target.id === run.view.id;

/** Links of the runs in sight. Those to a parent in another thread only while one of both runs is pointed at or picked. */
export function drawLinks(pen: Pen): void {
  const { look, layout, scale } = pen;
  for (const link of layout.links) {
    const shape = shapeOf(link, layout, scale);
    if (!inSight(shape, scale)) continue;
    if (link.kind === 'wait') {
      drawWait(pen, link, shape);
      continue;
    }
    const lit = [look.hover, look.focus, look.selection].some((target) => isOn(link.from, target) || isOn(link.to, target));
    const folded = layout.groups[link.toGroup]!.thread.folded;
    if (lit || (link.fromGroup === link.toGroup && !folded)) drawParent(pen, shape, lit);
  }
}

/** The other end of the link at a point: of a wait the run that answered, of a child its parent. */
export function linkUnder(layout: Pen['layout'], scale: Scale, x: number, y: number): number | null {
  for (const link of layout.links) {
    const shape = link.to === null ? null : shapeOf(link, layout, scale);
    if (!shape || Math.abs(shape.ay - shape.by) > 1 || Math.abs(y - shape.ay) > 3 || x < shape.ax || x > shape.bx) continue;
    if (link.kind === 'parent' && link.fromGroup !== link.toGroup) continue;
    return link.kind === 'wait' ? link.to!.view.id : link.from.view.id;
  }
  return null;
}
