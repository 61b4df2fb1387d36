/** Where the window goes by itself as a capture grows: everything while it is short, then along with the newest; nowhere once the reader has moved it. */
import { bounds, fitted, type TimelineModel } from '../../timeline/index.ts';
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
  readonly eased: boolean;
}

const tail = (end: number, width: number): Range => ({ from: end + width * 0.04 - width, to: end + width * 0.04 });

/**
 * The next step when the model has grown.
 * `following` is the reader's switch; `shown` the window there is. A capture with another beginning is a new one and is placed anew.
 */
export function follow(pace: Pace, model: TimelineModel, following: boolean, shown: Range): Step {
  if (model.runs.length === 0 && model.findings.length === 0) return { pace: { ...pace, placed: false, own: false }, range: null, eased: false };
  const { from, to } = bounds(model);
  const live = model.runs.some((run) => run?.ending === 'open');
  const length = to - from;
  if (!pace.placed && pace.own) return { pace: { placed: true, own: true, whole: false, origin: from, end: to }, range: null, eased: false };
  if (!pace.placed || from !== pace.origin) {
    const whole = !live || length <= WIDE;
    return { pace: { placed: true, own: false, whole, origin: from, end: to }, range: whole ? fitted({ from, to }) : tail(to, WIDE), eased: false };
  }
  const next = { ...pace, end: to };
  if (!pace.own && pace.whole && (!live || length <= WIDE)) return { pace: next, range: to === pace.end ? null : fitted({ from, to }), eased: false };
  if (!following || (to === pace.end && to <= shown.to && pace.own)) return { pace: { ...next, whole: false }, range: null, eased: false };
  const width = pace.own ? shown.to - shown.from : Math.min(Math.max(shown.to - shown.from, 1000), Math.max(WIDE, shown.to - shown.from));
  return { pace: { ...next, whole: false }, range: tail(to, width), eased: false };
}
