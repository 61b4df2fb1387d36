/** Growable typed-array columns: one entry a row, doubled when full, so that appending costs the same whatever is there already. */
import { type PackedRows, unpackRows } from '../../wire/packed-rows.ts';

type Column = Float64Array | Uint8Array | Uint32Array | Int32Array;

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
  /** The row before this one of the same span, -1 for none: the rows of a span are read backwards from its last. */
  before: Int32Array;
  /** Last row of each span id, -1 for none. */
  lastOfSpan: Int32Array;
}

const NAMES = ['time', 'type', 'conn', 'at', 'frame', 'part', 'run', 'span', 'offset', 'length', 'flags'] as const;
const FIRST = 1024;

/** Empty columns with room for so many rows. */
export function createColumns(rows = 0): Columns {
  const room = Math.max(FIRST, rows);
  return {
    count: 0,
    time: new Float64Array(room),
    type: new Uint8Array(room),
    conn: new Uint32Array(room),
    at: new Uint32Array(room),
    frame: new Uint32Array(room),
    part: new Uint8Array(room),
    run: new Int32Array(room),
    span: new Int32Array(room),
    offset: new Float64Array(room),
    length: new Uint32Array(room),
    flags: new Uint8Array(room),
    before: new Int32Array(room),
    lastOfSpan: new Int32Array(FIRST).fill(-1),
  };
}

function grown<T extends Column>(column: T, need: number, fill = 0): T {
  if (column.length >= need) return column;
  const size = Math.max(need, column.length * 2);
  const next = new (column.constructor as new (length: number) => T)(size);
  next.set(column);
  if (fill !== 0) next.fill(fill, column.length);
  return next;
}

/** Ties each of the rows to the one before it of its span. */
function link(columns: Columns, from: number, to: number): void {
  const { span, before } = columns;
  let most = -1;
  for (let row = from; row < to; row++) if (span[row]! > most) most = span[row]!;
  columns.lastOfSpan = grown(columns.lastOfSpan, most + 1, -1);
  const last = columns.lastOfSpan;
  for (let row = from; row < to; row++) {
    const own = span[row]!;
    before[row] = own < 0 ? -1 : last[own]!;
    if (own >= 0) last[own] = row;
  }
}

/** Appends a block of rows. Rows already there stay; a block that would leave a hole is refused (false): ask for everything again. */
export function appendRows(columns: Columns, rows: PackedRows): boolean {
  if (rows.from > columns.count) return false;
  const start = columns.count;
  const end = rows.from + rows.count;
  if (end <= start) return true;
  for (const name of NAMES) (columns as unknown as Record<string, Column>)[name] = grown(columns[name], end);
  unpackRows(rows, columns);
  columns.before = grown(columns.before, end);
  columns.count = end;
  link(columns, start, end);
  return true;
}

/** Rows of a span, ascending. */
export function rowsOfSpan(columns: Columns, span: number): number[] {
  const rows: number[] = [];
  let row = span >= 0 && span < columns.lastOfSpan.length ? columns.lastOfSpan[span]! : -1;
  while (row >= 0) {
    rows.push(row);
    row = columns.before[row]!;
  }
  return rows.reverse();
}
