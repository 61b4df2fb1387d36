/**
 * Rows as they travel to a panel: some 12 bytes each instead of 43. A column goes as one number where all its values are the same, as small
 * numbers over a base where they lie close together, whole otherwise; what a row's place in its stream is mostly follows from the row
 * before it on that stream, and only what differs from that travels. Nothing is rounded.
 */
import type { Rows } from '../session/types.ts';

/** One value for all rows; or a base and what each row adds to it; or the values themselves. */
export type PackedColumn = number | { readonly base: number; readonly by: Small } | Float64Array;
type Small = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | Float64Array;

export interface PackedRows {
  /** Number of the first row, and how many there are. */
  readonly from: number;
  readonly count: number;
  /** Position, frame and offset of each stream's first row here, in the order in which the streams come. */
  readonly starts: Float64Array;
  readonly columns: Readonly<Record<ColumnName, PackedColumn>>;
}

export type RowColumns = Omit<Rows, 'from' | 'count'>;
type ColumnName = keyof RowColumns;
export type Column = RowColumns[ColumnName];

/** A double of this century's milliseconds is a multiple of this part of one. */
export const TICKS = 4096;

/** Where a stream's next row is expected. */
export interface Track {
  at: number;
  frame: number;
  offset: number;
}

/** Writes packed rows into columns that have room for them, at the rows' own numbers. */
export function unpackRows({ from, count, starts, columns }: PackedRows, into: RowColumns): void {
  const { time, ...rest } = columns;
  spreadTime(time, into.time, from, count);
  for (const name of Object.keys(rest) as (keyof typeof rest)[]) spread(rest[name], into[name], from, count);
  place(starts, into, from, from + count);
}

/** From how far each row lies from where its stream's row before made it expected, to where it lies. Rows of one stream mostly stand together. */
function place(starts: Float64Array, { conn, at, frame, offset, length }: RowColumns, from: number, to: number): void {
  const tracks = new Map<number, Track>();
  for (let row = from; row < to; ) {
    const stream = conn[row]!;
    let track = tracks.get(stream);
    if (!track) {
      const no = tracks.size * 3;
      track = { at: starts[no]!, frame: starts[no + 1]!, offset: starts[no + 2]! };
      tracks.set(stream, track);
    }
    let { at: nextAt, frame: nextFrame, offset: nextOffset } = track;
    for (; row < to && conn[row] === stream; row++) {
      // what is less than expected stands in unsigned columns as 2 ** 32 less that, and comes out right by the same wrap
      at[row] = nextAt + at[row]!;
      frame[row] = nextFrame + frame[row]!;
      offset[row] = nextOffset + offset[row]!;
      nextAt = at[row]! + 1;
      nextFrame = frame[row]! + 1;
      nextOffset = offset[row]! + length[row]!;
    }
    track.at = nextAt;
    track.frame = nextFrame;
    track.offset = nextOffset;
  }
}

function spreadTime(packed: PackedColumn, into: Float64Array, from: number, count: number): void {
  if (typeof packed === 'number') into.fill(packed / TICKS, from, from + count);
  else if (packed instanceof Float64Array) into.set(packed, from);
  else for (let i = 0; i < count; i++) into[from + i] = (packed.base + packed.by[i]!) / TICKS;
}

function spread(packed: PackedColumn, into: Column, from: number, count: number): void {
  if (typeof packed === 'number') into.fill(packed, from, from + count);
  else if (packed instanceof Float64Array) into.set(packed, from);
  else {
    into.set(packed.by, from);
    if (packed.base !== 0) for (let row = from; row < from + count; row++) into[row]! += packed.base;
  }
}
