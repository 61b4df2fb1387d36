/** What every drawing function of the timeline shares. */
import type { Layout, PlacedSpan, Scale } from './placed.ts';
import type { Draw, Measure, Target, TimelineModel } from './types.ts';

/** What is selected: a target, a row, a connection or nothing. The panel's selection fits. */
export type Picked = Target | { readonly kind: 'row'; readonly row: number } | { readonly kind: 'connection'; readonly id: number } | { readonly kind: 'none' };

/** What the reader is doing. Times are ms since the epoch. */
export interface Look {
  readonly selection: Picked;
  readonly hover: Target | null;
  /** What the keyboard is on; drawn only while the timeline has the focus. */
  readonly focus: Target | null;
  /** The moment that state and messages are shown for. */
  readonly moment: number | null;
  /** Time under the pointer. */
  readonly cursor: number | null;
  /** A stretch being measured. */
  readonly measured: { readonly from: number; readonly to: number } | null;
  /** Kinds switched off: their lanes are faded, never hidden. */
  readonly faded: ReadonlySet<string>;
}

export const CALM: Look = { selection: { kind: 'none' }, hover: null, focus: null, moment: null, cursor: null, measured: null, faded: new Set() };

export interface Pen {
  readonly out: Draw[];
  readonly scale: Scale;
  readonly layout: Layout;
  readonly model: TimelineModel;
  readonly look: Look;
  readonly measure: Measure;
  readonly now: number;
  /** Left and right end of the plot, px. */
  readonly left: number;
  readonly right: number;
  /** Finding that is selected, or of the selected row; and the one under the pointer. */
  readonly pickedFinding: number | null;
  readonly hoveredFinding: number | null;
  /** Selected span, also by its row. */
  readonly pickedSpan: number | null;
  /** Spans whose start carries the ring of a related event. */
  readonly ringed: ReadonlySet<number>;
  /** px from the top of the box to the top of the thread being drawn. */
  y: number;
}

/** Colour of a span's kind. */
export const kindToken = (span: PlacedSpan): string => `k-${span.lane.kind}`;

export const line = (pen: Pen, points: readonly number[], stroke: string, width = 1, dash?: readonly number[]): void => {
  pen.out.push(dash ? { op: 'line', points, stroke, width, dash } : { op: 'line', points, stroke, width });
};

/** Points of a torn edge from top to bottom. */
export function torn(x: number, y0: number, y1: number, step = 4): number[] {
  const points: number[] = [];
  for (let y = y0, i = 0; y < y1; y += step, i++) points.push(x + (i % 2 ? -3 : 2), y);
  points.push(x, y1);
  return points;
}

/** A line between two lanes: leaves and arrives upright, so that it can be told from the bars. */
export function curve(ax: number, ay: number, bx: number, by: number): number[] {
  const points: number[] = [];
  const bend = Math.max(18, Math.abs(by - ay) * 0.9) * Math.sign(by - ay);
  for (let i = 0; i <= 20; i++) {
    const t = i / 20;
    const u = 1 - t;
    const x = ax * (u * u * u + 3 * u * u * t) + bx * (3 * u * t * t + t * t * t);
    const y = ay * u * u * u + 3 * (ay + bend) * u * u * t + 3 * (by - bend) * u * t * t + by * t * t * t;
    points.push(Math.round(x * 10) / 10, Math.round(y * 10) / 10);
  }
  return points;
}
