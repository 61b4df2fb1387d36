/** Growable typed-array columns: the rows of a session, and lists of row numbers. Capacity doubles, so appending is O(1) amortised. */
import type { Rows } from './types.ts';

/** As `Rows`, but the arrays are longer than `count`. */
export interface Columns {
  count: number;
  time: Float64Array;
  type: Uint8Array;
  conn: Uint32Array;
  at: Uint32Array;
  frame: Uint32Array;
  part: Uint8Array;
  run: Int32Array;
  span: Int32Array;
  offset: Float64Array;
  length: Uint32Array;
  flags: Uint8Array;
}

export type Row = { readonly [K in Exclude<keyof Columns, 'count'>]: number };

export const FIRST_CAPACITY = 256;

export function createColumns(capacity = FIRST_CAPACITY): Columns {
  return {
    count: 0,
    time: new Float64Array(capacity),
    type: new Uint8Array(capacity),
    conn: new Uint32Array(capacity),
    at: new Uint32Array(capacity),
    frame: new Uint32Array(capacity),
    part: new Uint8Array(capacity),
    run: new Int32Array(capacity),
    span: new Int32Array(capacity),
    offset: new Float64Array(capacity),
    length: new Uint32Array(capacity),
    flags: new Uint8Array(capacity),
  };
}

/** Appends a row and answers its number. */
export function pushRow(columns: Columns, row: Row): number {
  const no = columns.count;
  if (no === columns.time.length) grow(columns);
  columns.time[no] = row.time;
  columns.type[no] = row.type;
  columns.conn[no] = row.conn;
  columns.at[no] = row.at;
  columns.frame[no] = row.frame;
  columns.part[no] = row.part;
  columns.run[no] = row.run;
  columns.span[no] = row.span;
  columns.offset[no] = row.offset;
  columns.length[no] = row.length;
  columns.flags[no] = row.flags;
  columns.count = no + 1;
  return no;
}

function grow(columns: Columns): void {
  const old = { ...columns };
  Object.assign(columns, createColumns(old.time.length * 2), { count: old.count });
  columns.time.set(old.time);
  columns.type.set(old.type);
  columns.conn.set(old.conn);
  columns.at.set(old.at);
  columns.frame.set(old.frame);
  columns.part.set(old.part);
  columns.run.set(old.run);
  columns.span.set(old.span);
  columns.offset.set(old.offset);
  columns.length.set(old.length);
  columns.flags.set(old.flags);
}

/** Views of the rows from `from` on, to be read at once: marks that come later may or may not show. */
export function viewRows(columns: Columns, from: number): Rows {
  const of = <T extends Float64Array | Uint8Array | Uint32Array | Int32Array>(column: T) => column.subarray(from, columns.count) as T;
  return {
    from,
    count: columns.count - from,
    time: of(columns.time),
    type: of(columns.type),
    conn: of(columns.conn),
    at: of(columns.at),
    frame: of(columns.frame),
    part: of(columns.part),
    run: of(columns.run),
    span: of(columns.span),
    offset: of(columns.offset),
    length: of(columns.length),
    flags: of(columns.flags),
  };
}

/** A growable list of row numbers. */
export interface RowList {
  data: Uint32Array;
  count: number;
}

export function createRowList(): RowList {
  return { data: new Uint32Array(16), count: 0 };
}

export function pushToList(list: RowList, value: number): void {
  if (list.count === list.data.length) {
    const data = new Uint32Array(list.count * 2);
    data.set(list.data);
    list.data = data;
  }
  list.data[list.count++] = value;
}
