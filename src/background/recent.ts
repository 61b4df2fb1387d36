/** The last bytes that came since panels were told: what the newest rows are drawn from without a read of the journal. */
import type { Piece } from '../wire/worker-to-panel.ts';

/** Bytes in one update. A screen of rows of a running text is a few KiB; more would make a fast stream dearer than the reads it saves. */
const MOST = 16 * 1024;

export interface Recent {
  readonly pieces: Piece[];
  bytes: number;
}

export function createRecent(): Recent {
  return { pieces: [], bytes: 0 };
}

/** Notes a chunk. Old ones go once they are as many bytes again as are wanted, so that a long stream pays for it seldom. */
export function noteRecent(recent: Recent, piece: Piece): void {
  recent.pieces.push(piece);
  recent.bytes += piece.bytes.length;
  if (recent.bytes > 2 * MOST) trim(recent);
}

function trim(recent: Recent): void {
  let gone = 0;
  while (recent.bytes > MOST) recent.bytes -= recent.pieces[gone++]!.bytes.length;
  recent.pieces.splice(0, gone);
}

/** What was noted, and forgets it: neighbours joined, in arrays of their own (a view would drag its whole buffer through the message). */
export function takeRecent(recent: Recent): Piece[] {
  trim(recent);
  const joined: { conn: number; offset: number; parts: Uint8Array[]; length: number }[] = [];
  for (const { conn, offset, bytes } of recent.pieces) {
    const before = joined.findLast((one) => one.conn === conn);
    if (before && before.offset + before.length === offset) {
      before.parts.push(bytes);
      before.length += bytes.length;
    } else joined.push({ conn, offset, parts: [bytes], length: bytes.length });
  }
  forgetRecent(recent);
  return joined.map(({ conn, offset, parts, length }) => {
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return { conn, offset, bytes };
  });
}

export function forgetRecent(recent: Recent): void {
  recent.pieces.length = 0;
  recent.bytes = 0;
}
