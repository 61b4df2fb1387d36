/** Packing intervals into rows. */

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** By start, the longer one first. */
export const byStart = (a: Interval, b: Interval): number => a.start - b.start || b.end - a.end;

/**
 * Rows of intervals that do not overlap, as few as the most simultaneous intervals: each interval, by start, goes into the first free row.
 * Half-open: one that starts where another ends may follow it. The input is left alone.
 */
export function pack<T extends Interval>(items: readonly T[]): T[][] {
  const rows: T[][] = [];
  const ends: number[] = [];
  for (const item of [...items].sort(byStart)) {
    let row = 0;
    while (row < ends.length && ends[row]! > item.start) row++;
    if (row === rows.length) rows.push([]);
    ends[row] = item.end;
    rows[row]!.push(item);
  }
  return rows;
}

/** First index whose `key` is at least `value`, in a list that ascends by `key`. */
export function lowerBound<T>(list: readonly T[], value: number, key: (item: T) => number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (key(list[mid]!) < value) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** The same over bare numbers, from an index on, galloping: cheap when the answer is near. */
export function gallop(list: ArrayLike<number>, value: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < list.length && list[low + step]! < value) {
    low += step;
    step *= 2;
  }
  let high = Math.min(list.length, low + step + 1);
  while (low < high) {
    const mid = (low + high) >> 1;
    if (list[mid]! < value) low = mid + 1;
    else high = mid;
  }
  return low;
}
