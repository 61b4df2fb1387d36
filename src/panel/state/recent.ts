/** The last bytes of each stream, as they came with the worker's updates: rows that have just come are decoded from here at once. */
import type { Piece } from '../../wire/worker-to-panel.ts';

/** Bytes kept of a connection, and connections kept. */
const MOST = 64 * 1024;
const STREAMS = 16;

export interface RecentBytes {
  readonly take: (pieces: readonly Piece[]) => void;
  /** Bytes of a connection from that offset on; null when they are not among the last. The array is a view: copy what is kept. */
  readonly read: (conn: number, offset: number, length: number) => Uint8Array | null;
  readonly clear: () => void;
}

export function createRecentBytes(): RecentBytes {
  const kept = new Map<number, Omit<Piece, 'conn'>>();

  const take = ({ conn, offset, bytes }: Piece) => {
    const before = kept.get(conn);
    kept.delete(conn);
    if (!before || before.offset + before.bytes.length !== offset) kept.set(conn, { offset, bytes });
    else {
      const old = before.bytes.subarray(Math.max(0, before.bytes.length + bytes.length - MOST));
      const all = new Uint8Array(old.length + bytes.length);
      all.set(old);
      all.set(bytes, old.length);
      kept.set(conn, { offset: offset - old.length, bytes: all });
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= STREAMS) break;
      kept.delete(oldest);
    }
  };

  return {
    take: (pieces) => pieces.forEach(take),
    read: (conn, offset, length) => {
      const one = kept.get(conn);
      if (!one || offset < one.offset || offset + length > one.offset + one.bytes.length) return null;
      return one.bytes.subarray(offset - one.offset, offset - one.offset + length);
    },
    clear: () => kept.clear(),
  };
}
