/**
 * Journaled material back into the one order in which it came. The journal keeps chunks in batches, one batch for a stretch of one
 * connection, so batches of connections that streamed at once overlap: they are merged by the session-wide ordinals they carry.
 */
import type { CaptureRecord } from '../capture/types.ts';

/** Chunks of one connection, in order. Arrays have an entry a chunk; `bytes` holds them end to end. */
export interface ChunkBatch {
  readonly conn: number;
  /** Where the first of its bytes lies in the connection's byte stream. */
  readonly offset: number;
  readonly lengths: Uint32Array;
  /** ms since the epoch. */
  readonly came: Float64Array;
  readonly asked: Float64Array;
  readonly ordinals: Float64Array;
  readonly bytes: Uint8Array;
}

/** A record that is no chunk. */
export interface Head {
  readonly ordinal: number;
  readonly record: CaptureRecord;
}

export interface Ordered {
  readonly ordinal: number;
  readonly record: CaptureRecord;
}

/** A batch, or a run of heads, that can be loaded; `first` is its lowest ordinal. */
export interface Source {
  readonly first: number;
  readonly load: () => Promise<ChunkBatch | readonly Head[] | null>;
}

const AHEAD = 8;

/** The records of all sources with an ordinal of at least `from`, in order of ordinal. Holds only the sources that overlap. */
export async function* journalOrder(sources: readonly Source[], from = 0): AsyncGenerator<Ordered> {
  const waiting = [...sources].sort((a, b) => a.first - b.first);
  const loading = new Map<Source, ReturnType<Source['load']>>();
  const active: Place[] = [];
  let next = 0;
  for (;;) {
    const least = lowest(active);
    const border = waiting[next]?.first ?? Number.POSITIVE_INFINITY;
    if (least && least.at < border) {
      const second = Math.min(border, lowestBut(active, least));
      while (least.at < second) {
        if (least.at >= from) yield least.take();
        least.step();
      }
      if (least.at === Number.POSITIVE_INFINITY) active.splice(active.indexOf(least), 1);
      continue;
    }
    if (next >= waiting.length) return;
    for (const source of waiting.slice(next, next + AHEAD)) if (!loading.has(source)) loading.set(source, source.load());
    const source = waiting[next++]!;
    const loaded = await loading.get(source);
    loading.delete(source);
    if (loaded) active.push(isHeads(loaded) ? overHeads(loaded) : overChunks(loaded));
  }
}

/** A place in one source: `at` is the ordinal it stands on, infinite at the end. */
interface Place {
  at: number;
  take: () => Ordered;
  step: () => void;
}

function overHeads(heads: readonly Head[]): Place {
  let no = 0;
  const self: Place = {
    at: heads[0]?.ordinal ?? Number.POSITIVE_INFINITY,
    take: () => heads[no] as Head,
    step: () => {
      self.at = heads[++no]?.ordinal ?? Number.POSITIVE_INFINITY;
    },
  };
  return self;
}

function overChunks(batch: ChunkBatch): Place {
  let no = 0;
  let start = 0;
  const self: Place = {
    at: batch.ordinals[0] ?? Number.POSITIVE_INFINITY,
    take: () => {
      const bytes = batch.bytes.subarray(start, start + (batch.lengths[no] ?? 0));
      return { ordinal: self.at, record: { kind: 'chunk', conn: batch.conn, asked: batch.asked[no] ?? 0, came: batch.came[no] ?? 0, bytes } };
    },
    step: () => {
      start += batch.lengths[no] ?? 0;
      self.at = batch.ordinals[++no] ?? Number.POSITIVE_INFINITY;
    },
  };
  return self;
}

function isHeads(loaded: ChunkBatch | readonly Head[]): loaded is readonly Head[] {
  return Array.isArray(loaded);
}

function lowest(active: readonly Place[]): Place | null {
  let least: Place | null = null;
  for (const one of active) if (!least || one.at < least.at) least = one;
  return least;
}

function lowestBut(active: readonly Place[], but: Place): number {
  let least = Number.POSITIVE_INFINITY;
  for (const one of active) if (one !== but && one.at < least) least = one.at;
  return least;
}
