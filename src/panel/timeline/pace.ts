/** Where the window goes by itself as a capture grows: everything while it is short, then along with the newest; nowhere once the reader has moved it. */
import { bounds, type Folds, fitted, type TimelineModel, tail, widthOf } from '../../timeline/index.ts';
import type { Range } from './motion.ts';

export interface Pace {
  /** Whether this capture has been placed at all. */
  readonly placed: boolean;
  /** The reader chose the window. */
  readonly own: boolean;
  /** The window shows the whole capture. */
  readonly whole: boolean;
  readonly origin: number;
  readonly end: number;
}

/** A live capture longer than this is followed at this width, ms. */
const WIDE = 60_000;

export interface Step {
  readonly pace: Pace;
  /** A new window, or null to stay. */
  readonly range: Range | null;
}

export const UNPLACED: Pace = { placed: false, own: false, whole: true, origin: 0, end: 0 };

/** The reader asks to go along again: from here, or with the whole if that was shown. */
export const again = (pace: Pace): Pace => ({ ...pace, own: false, whole: pace.whole && !pace.own, end: Number.NEGATIVE_INFINITY });

/**
 * The next step when the model has grown.
 * `following` is the reader's switch; `shown` the window there is; `folds` what of the axis is folded. A capture with another beginning is a new one and is placed anew.
 */
export function follow(pace: Pace, model: TimelineModel, following: boolean, shown: Range, folds?: Folds): Step {
  if (model.runs.length === 0 && model.findings.length === 0) return { pace: UNPLACED, range: null };
  const { from, to } = bounds(model);
  const short = widthOf({ from, to }, folds) <= WIDE || !model.runs.some((run) => run?.ending === 'open');
  // asked for before there was anything: the first picture is the reader's
  if (!pace.placed && pace.own) return { pace: { placed: true, own: true, whole: false, origin: from, end: to }, range: null };
  if (!pace.placed || from !== pace.origin) {
    return {
      pace: { placed: true, own: false, whole: short, origin: from, end: to },
      range: short ? fitted({ from, to }, undefined, folds) : tail(to, WIDE, folds),
    };
  }
  const next = { ...pace, end: to };
  if (to === pace.end) return { pace: next, range: null };
  if (!pace.own && pace.whole && short) return { pace: next, range: fitted({ from, to }, undefined, folds) };
  const width = !pace.own && pace.whole ? WIDE : widthOf(shown, folds);
  return { pace: { ...next, whole: false }, range: following ? tail(to, width, folds) : null };
}
