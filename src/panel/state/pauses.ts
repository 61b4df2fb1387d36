/** How long each run was silent: one pass over the rows, continued as they come. */
import type { Columns } from './columns.ts';

/** A silence between two events of a run counts from this many ms on. */
export const PAUSE = 500;

interface Pauses {
  done: number;
  /** By session run id: time of the run's last row so far, and the silences added up, ms. */
  readonly last: number[];
  readonly idle: number[];
}

const known = new WeakMap<Columns, Pauses>();

/** Silences of at least `PAUSE` between the events of a run, in all, ms. */
export function idleOf(columns: Columns, run: number): number {
  const pauses = known.get(columns) ?? { done: 0, last: [], idle: [] };
  known.set(columns, pauses);
  for (; pauses.done < columns.count; pauses.done++) {
    const id = columns.run[pauses.done]!;
    if (id < 0) continue;
    const time = columns.time[pauses.done]!;
    const gap = time - (pauses.last[id] ?? time);
    if (gap >= PAUSE) pauses.idle[id] = (pauses.idle[id] ?? 0) + gap;
    pauses.last[id] = time;
  }
  return pauses.idle[run] ?? 0;
}
