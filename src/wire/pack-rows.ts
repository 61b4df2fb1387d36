/** Packing rows for their way to a panel or into a checkpoint: `packed-rows.ts` says how, and unpacks. Apart from it, since a panel packs nothing. */
import { type Column, type PackedColumn, type PackedRows, type RowColumns, TICKS, type Track } from './packed-rows.ts';

/** Rows of a part: some 256 KiB as they are mostly packed. */
const PART = 20_000;

/** Whole parts that were packed before, by the memory their columns lie in. A row that is there changes in nothing but its flags. */
const packed = new WeakMap<ArrayBufferLike, PackedRows[]>();

/**
 * All rows up to `count`, in parts of a bearable size; the first of them has the number `first`. Whole parts of columns that are
 * looked at from their beginning are packed once, however often a panel opens and a checkpoint is made: such columns may grow, and
 * change in their flags alone.
 */
export function* packParts(columns: RowColumns, count: number, first = 0): Generator<PackedRows> {
  const known = first === 0 && columns.time.byteOffset === 0 ? partsOf(columns) : [];
  for (let from = 0, no = 0; from < count; from += PART, no++) {
    const to = Math.min(count, from + PART);
    const before = known[no];
    const part = before ? withFlags(before, columns.flags.subarray(from, to)) : packRows(columns, from, to, first + from);
    if (to - from === PART) known[no] = part;
    yield part;
  }
}

/** Columns that `parts` were just unpacked into need not be packed again, as far as the parts are whole. */
export function keepParts(columns: RowColumns, parts: readonly PackedRows[]): void {
  const known = partsOf(columns);
  for (const [no, part] of parts.entries()) if (part.from === no * PART && part.count === PART) known[no] = part;
}

function partsOf({ time: { buffer } }: RowColumns): PackedRows[] {
  const known = packed.get(buffer) ?? [];
  packed.set(buffer, known);
  return known;
}

const withFlags = (part: PackedRows, flags: Uint8Array): PackedRows => ({ ...part, columns: { ...part.columns, flags: narrow(flags) } });

/** Rows `from` up to `to` of the columns, the first of which has the number `first`. */
export function packRows(columns: RowColumns, from: number, to: number, first = from): PackedRows {
  const { conn, type, part, run, span, length, flags } = columns;
  const { starts, at, frame, offset } = departures(columns, from, to);
  const cut = (column: Column) => narrow(column.subarray(from, to));
  return {
    from: first,
    count: to - from,
    starts,
    columns: {
      time: packTime(columns.time.subarray(from, to)),
      type: cut(type),
      conn: cut(conn),
      at: narrow(at),
      frame: narrow(frame),
      part: cut(part),
      run: cut(run),
      span: cut(span),
      offset: narrow(offset),
      length: cut(length),
      flags: cut(flags),
    },
  };
}

/** How far each row lies from where its stream's row before made it expected. */
function departures(columns: RowColumns, from: number, to: number) {
  const [at, frame, offset] = [new Float64Array(to - from), new Float64Array(to - from), new Float64Array(to - from)];
  const starts: number[] = [];
  const tracks = new Map<number, Track>();
  let conn = -1;
  let track: Track = { at: 0, frame: 0, offset: 0 };
  for (let row = from; row < to; row++) {
    if (columns.conn[row] !== conn) {
      conn = columns.conn[row]!;
      const known = tracks.get(conn);
      track = known ?? { at: columns.at[row]!, frame: columns.frame[row]!, offset: columns.offset[row]! };
      if (!known) {
        starts.push(track.at, track.frame, track.offset);
        tracks.set(conn, track);
      }
    }
    at[row - from] = columns.at[row]! - track.at;
    frame[row - from] = columns.frame[row]! - track.frame;
    offset[row - from] = columns.offset[row]! - track.offset;
    follow(track, columns, row);
  }
  return { starts: Float64Array.from(starts), at, frame, offset };
}

function follow(track: Track, { at, frame, offset, length }: RowColumns, row: number): void {
  track.at = at[row]! + 1;
  track.frame = frame[row]! + 1;
  track.offset = offset[row]! + length[row]!;
}

/** In ticks, unless a time is no whole number of them. */
function packTime(times: Float64Array): PackedColumn {
  const ticks = times.map((time) => time * TICKS);
  const packed = narrow(ticks);
  if (packed instanceof Float64Array) return times.slice();
  return packed;
}

/** Small numbers, over a base only where that makes them smaller: what needs no sum is copied in one go at the other end. */
function narrow(values: Column): PackedColumn {
  let [least, most, whole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    if (value > most) most = value;
    if (!Number.isSafeInteger(value)) whole = false;
  }
  const range = most - least;
  if (!whole || range >= 2 ** 32) return Float64Array.from(values);
  if (range <= 0) return least;
  const own = arrayFor(least, most);
  const apart = arrayFor(0, range);
  const base = own.BYTES_PER_ELEMENT > apart.BYTES_PER_ELEMENT ? least : 0;
  const by = new (base === 0 ? own : apart)(values.length);
  for (let i = 0; i < by.length; i++) by[i] = values[i]! - base;
  return { base, by };
}

/** The smallest array that holds whole numbers from `least` to `most`; doubles hold them all. */
function arrayFor(least: number, most: number) {
  const bits = least < 0 ? Math.max(-least, most + 1) * 2 : most + 1;
  if (least < 0) return bits <= 2 ** 8 ? Int8Array : bits <= 2 ** 16 ? Int16Array : bits <= 2 ** 32 ? Int32Array : Float64Array;
  return bits <= 2 ** 8 ? Uint8Array : bits <= 2 ** 16 ? Uint16Array : bits <= 2 ** 32 ? Uint32Array : Float64Array;
}
