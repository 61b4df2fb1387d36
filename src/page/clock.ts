import { abs, now, round, timeOrigin, wallClock } from './natives.ts';

/** The wall clock ticks in whole milliseconds and is slewed by a few; only a jump (sleep, a set clock) is worth a correction. */
const JUMP = 50;

let origin = timeOrigin;

/**
 * Milliseconds since the epoch in steps of 0.1. The page's monotonic clock carries the fine steps; it stands still while the
 * machine sleeps, so it is anchored anew whenever it has left the wall clock.
 */
export function clock(): number {
  const wall = wallClock();
  const fine = now();
  if (abs(wall - origin - fine) > JUMP) origin = wall - fine;
  return round((origin + fine) * 10) / 10;
}
