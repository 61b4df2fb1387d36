/** The sign at the head of a run and of a subagent's bar that folds it: where it stands, what is under the pointer. */
import type { Pen } from './pen.ts';
import type { PlacedRun, PlacedSpan, Scale } from './placed.ts';
import { edges } from './scale.ts';

/** Room that the sign takes of its bar, px. */
export const TWISTY = 11;
/** A shorter bar has no room for it; its contents are reached by zooming in, or by the keyboard. */
const ROOM = 48;

/** Middle of a run's sign, px; null where there is none. */
export function twistyOfRun(scale: Scale, run: PlacedRun, now: number): number | null {
  if (run.foldKey === null) return null;
  const { a, b } = edges(scale, run.start, run.end, now);
  return place(scale, a, Math.min(b, run.stop === Number.POSITIVE_INFINITY ? b : scale.px(run.stop)), 10);
}

/** Middle of a subagent's sign, px; null where there is none. */
export function twistyOfSpan(scale: Scale, span: PlacedSpan, now: number): number | null {
  if (span.foldKey === null || span.lane.micro) return null;
  const { a, b } = edges(scale, span.start, span.end, now);
  return place(scale, a, b, 9);
}

function place(scale: Scale, a: number, b: number, inset: number): number | null {
  const from = Math.max(a, scale.window.gutter);
  return Math.min(b, scale.window.width) - from < ROOM ? null : from + inset;
}

/** Whether an x is on a sign, with the room around it that a pointer needs. */
export const onTwisty = (x: number, at: number | null): boolean => at !== null && x >= at - 10 && x <= at + 7;

export function drawTwisty(pen: Pen, x: number, y: number, folded: boolean): void {
  pen.out.push({ op: 'icon', name: folded ? 'chevron-folded' : 'chevron-open', x, y, size: 10, fill: 'text-2' });
}
