/** Folded idle stretches: a break in the axis, with its length where there is room for it. */
import { foldsIn } from './folds.ts';
import type { Scale } from './placed.ts';
import { duration } from './scale.ts';
import type { Draw, Measure } from './types.ts';

/** A break is drawn at least so wide, px. */
const LEAST = 5;

export interface Break {
  readonly a: number;
  readonly b: number;
  readonly label: string;
}

/** Breaks that a scale shows, px from left to right, each with its length in words. */
export function breaksOf(scale: Scale): Break[] {
  return foldsIn(scale.folds, scale.from, scale.to).map(({ from, to }) => {
    const [a, b] = [scale.px(from), scale.px(to)];
    const half = Math.max(b - a, LEAST) / 2;
    const middle = (a + b) / 2;
    return { a: Math.round(middle - half), b: Math.round(middle + half), label: duration(to - from) };
  });
}

/** Points of a jagged upright line. */
function jagged(x: number, top: number, bottom: number): number[] {
  const points: number[] = [];
  for (let y = top, i = 0; y < bottom; y += 5, i++) points.push(x + (i % 2 ? -1.5 : 1.5), y);
  points.push(x, bottom);
  return points;
}

/** The breaks between two heights: ground that is neither run nor silence, with a jagged line on each side. */
export function drawBreaks(out: Draw[], scale: Scale, top: number, bottom: number): void {
  for (const { a, b } of breaksOf(scale)) {
    out.push({ op: 'rect', x: a, y: top, w: b - a, h: bottom - top, fill: 'surface-hover' });
    for (const x of [a, b]) out.push({ op: 'line', points: jagged(x, top, bottom), stroke: 'line-strong' });
  }
}

/** Words of the breaks, in the middle of each, without those that would touch another. Answers what they cover. */
export function labelBreaks(out: Draw[], scale: Scale, y: number, size: number, measure: Measure): { readonly x: number; readonly w: number }[] {
  const { gutter, width } = scale.window;
  const taken: { x: number; w: number }[] = [];
  const breaks = breaksOf(scale);
  breaks.forEach(({ a, b, label }, i) => {
    const w = measure(label, size, false) + 8;
    const x = Math.round((a + b - w) / 2);
    const next = breaks[i + 1];
    const past = taken.at(-1);
    const room = x >= gutter && x + w <= width && (!past || past.x + past.w + 2 <= x) && (!next || x + w <= (next.a + next.b) / 2);
    if (!room) return;
    taken.push({ x, w });
    out.push({ op: 'rect', x: x + 0.5, y: y - 11.5, w: w - 1, h: 15, r: 3, fill: 'surface-hover', stroke: 'line-strong', dash: [2, 2] });
    out.push({ op: 'text', x: x + w / 2, y, text: label, size, fill: 'text-2', align: 'center' });
  });
  return taken;
}
