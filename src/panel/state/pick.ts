/** Picking several rows of the events table: ranges, single rows, all. A fold stands for all its rows. */
import type { Columns } from './columns.ts';
import { type EventList, ITEM_BAND, ITEM_FOLD } from './list.ts';

/** Rows an item of the list stands for; none for a band. */
export function rowsOfItem(list: EventList, columns: Columns, item: number): number[] {
  const kind = list.kind[item];
  if (kind === undefined || kind === ITEM_BAND) return [];
  const first = list.row[item]!;
  if (kind !== ITEM_FOLD) return [first];
  const rows: number[] = [];
  for (let row = first; row <= list.last[item]!; row++) if (columns.span[row] === columns.span[first] && (!list.accepts || list.accepts(row))) rows.push(row);
  return rows;
}

/** Rows of all items between two, both included, in either order. */
export function rowsBetween(list: EventList, columns: Columns, from: number, to: number): Set<number> {
  const rows = new Set<number>();
  for (let item = Math.min(from, to); item <= Math.max(from, to); item++) for (const row of rowsOfItem(list, columns, item)) rows.add(row);
  return rows;
}

/** The rows picked with one item's put in or taken out. */
export function withItem(picked: ReadonlySet<number>, list: EventList, columns: Columns, item: number): Set<number> {
  const rows = rowsOfItem(list, columns, item);
  const next = new Set(picked);
  const out = rows.every((row) => next.has(row));
  for (const row of rows) out ? next.delete(row) : next.add(row);
  return next;
}

/** The next row, in a direction, of the same item (message, call, step); null where there is none. */
export function siblingRow(columns: Columns, row: number, by: 1 | -1): number | null {
  const span = columns.span[row]!;
  if (span < 0) return null;
  if (by < 0) return columns.before[row]! >= 0 ? columns.before[row]! : null;
  for (let next = row + 1; next < columns.count; next++) if (columns.span[next] === span) return next;
  return null;
}

/** First row of the next run, or of this or the previous one; null where there is none. */
export function runStart(row: number, by: 1 | -1, firstRows: readonly number[]): number | null {
  const starts = [...firstRows].sort((a, b) => a - b);
  return (by > 0 ? starts.find((start) => start > row) : starts.findLast((start) => start < row)) ?? null;
}
