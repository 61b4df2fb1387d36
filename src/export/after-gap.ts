/** How decoding goes on after lost bytes, as a session does it: by the codec, and before the first byte by the content type. */
import { type Border, seekBorder } from '../session/resync.ts';
import { type Codec, codecOf, type StreamState } from '../stream/index.ts';

interface Broken {
  readonly stream: StreamState | null;
  readonly contentType: string;
}

/** The codec in use; null before there is anything to tell it by. */
export function knownCodec({ stream }: Broken): Codec | null {
  return stream === null ? null : codecOf(stream);
}

/** Whether the next frame can be found again: JSON and protobuf have no border to look for. */
export function isFoundAgain(conn: Broken): boolean {
  const codec = knownCodec(conn);
  if (codec !== null) return codec === 'sse' || codec === 'ndjson';
  return !/json(?!l|-seq)|vnd\.ag-ui/i.test(conn.contentType) || /ndjson/i.test(conn.contentType);
}

/** Looks for the next frame; `seen` line ends in a row ended the chunk before. */
export function skipToBorder(conn: Broken, seen: number, bytes: Uint8Array): Border {
  const codec = knownCodec(conn);
  const byLine = codec === null ? /ndjson|jsonl/i.test(conn.contentType) : codec === 'ndjson';
  return seekBorder(seen, byLine ? 1 : 2, bytes);
}
