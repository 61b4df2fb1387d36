/** The window's movement: 120 ms with an ease, at once under reduced motion. */

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Motion {
  /** What is shown now. */
  readonly at: Range;
  /** Where it is going. */
  readonly goal: Range;
  readonly started: number;
  readonly start: Range;
}

const LENGTH = 120;

export const still = (range: Range): Motion => ({ at: range, goal: range, started: 0, start: range });

export const moving = (motion: Motion): boolean => motion.at !== motion.goal;

/** Sets out for a goal. `now` is the frame clock in ms. */
export const towards = (motion: Motion, goal: Range, now: number, reduced: boolean): Motion =>
  reduced ? still(goal) : { at: motion.at, goal, started: now, start: motion.at };

/** The motion at a later instant. */
export function stepped(motion: Motion, now: number): Motion {
  if (!moving(motion)) return motion;
  const t = Math.min(1, (now - motion.started) / LENGTH);
  if (t >= 1) return still(motion.goal);
  const eased = 1 - (1 - t) ** 3;
  const between = (a: number, b: number) => a + (b - a) * eased;
  return { ...motion, at: { from: between(motion.start.from, motion.goal.from), to: between(motion.start.to, motion.goal.to) } };
}
