/** Heights of the timeline, in CSS px. */
import type { Density } from './types.ts';

export const FULL: Density = { lane: 18, bar: 14, runRow: 22, runBar: 18, note: 15, state: 16, micro: 4, font: 11, small: 10 };
/** For a dock under 520 px high. */
export const SHORT: Density = { lane: 15, bar: 12, runRow: 20, runBar: 16, note: 13, state: 13, micro: 4, font: 10, small: 10 };

/** For a dock under 360 px high. */
export const TINY: Density = { lane: 13, bar: 11, runRow: 17, runBar: 15, note: 12, state: 12, micro: 4, font: 10, small: 10 };

export const RULER = 20;
export const GUTTER = 136;
export const GUTTER_NARROW = 28;
/** Findings nearer than this share one mark. */
export const MERGE = 12;
/** A span is never drawn narrower. */
export const LEAST = 3;
/** Run strip of a folded thread, and the least height of such a thread: its gutter has two lines. */
export const STRIP = 10;
export const FOLDED_LEAST = 33;
export const TITLE = 18;
/** Row of a thread that has nothing in the window. */
export const awayOf = (density: Density): number => density.lane + 3;
export const padOf = (density: Density): number => (density.lane >= FULL.lane ? 5 : 3);
